package main

import (
	"encoding/binary"
	"encoding/json"
	"math/bits"
)

// A value of the dataset nested_struct, as an application holds it.
type NestedStruct struct {
	Field InnerStruct `json:"field"`
}

type InnerStruct struct {
	S1  string   `json:"s1"`
	S2  string   `json:"s2"`
	V1  uint32   `json:"v1"`
	V2  uint64   `json:"v2"`
	Arr []uint32 `json:"arr"`
}

// What is measured. Put your library in the place of these two.

func marshal(value *NestedStruct) ([]byte, error) { return json.Marshal(value) }

func unmarshal(input []byte) (*NestedStruct, error) {
	value := new(NestedStruct)
	return value, json.Unmarshal(input, value)
}

// The canonical encoding: little-endian, fixed width, a u32 before what has a length.

func fromCanonical(in []byte) *NestedStruct {
	var value NestedStruct
	text := func() string {
		size := binary.LittleEndian.Uint32(in)
		text := string(in[4 : 4+size])
		in = in[4+size:]
		return text
	}
	word := func() uint32 {
		word := binary.LittleEndian.Uint32(in)
		in = in[4:]
		return word
	}
	inner := &value.Field
	inner.S1, inner.S2, inner.V1 = text(), text(), word()
	inner.V2 = binary.LittleEndian.Uint64(in)
	in = in[8:]
	inner.Arr = make([]uint32, word())
	for i := range inner.Arr {
		inner.Arr[i] = word()
	}
	return &value
}

func toCanonical(value *NestedStruct) []byte {
	var out []byte
	inner := &value.Field
	for _, text := range []string{inner.S1, inner.S2} {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
		out = append(out, text...)
	}
	out = binary.LittleEndian.AppendUint32(out, inner.V1)
	out = binary.LittleEndian.AppendUint64(out, inner.V2)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(inner.Arr)))
	for _, number := range inner.Arr {
		out = binary.LittleEndian.AppendUint32(out, number)
	}
	return out
}

// checksum folds every field, by the rule in serbench's datasets/README.md.
func checksum(value *NestedStruct) uint64 {
	var sum uint64
	fold := func(word uint64) { sum = (bits.RotateLeft64(sum, 5) ^ word) * 0x517cc1b727220a95 }
	inner := &value.Field
	for _, text := range []string{inner.S1, inner.S2} {
		fold(uint64(len(text)))
		if len(text) > 0 {
			fold(uint64(text[0]))
			fold(uint64(text[len(text)-1]))
		}
	}
	fold(uint64(inner.V1))
	fold(inner.V2)
	fold(uint64(len(inner.Arr)))
	for _, number := range inner.Arr {
		fold(uint64(number))
	}
	return sum
}
