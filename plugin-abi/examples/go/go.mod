module serbench.example/gojson

go 1.19
