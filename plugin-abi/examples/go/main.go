// A serbench plugin in Go: encoding/json, on the dataset nested_struct.
//
// The descriptors stand in plugin.c. Go's memory is Go's: whatever the host is handed lies in memory
// of C, which the codec keeps until the next call.
package main

// #include <stdlib.h>
// #include "plugin.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime/cgo"
	"unsafe"
)

// The codec, opened.
type codec struct {
	values   []*NestedStruct
	decoded  *NestedStruct
	out      unsafe.Pointer
	exported unsafe.Pointer
	message  *C.char
}

var errNoValue = errors.New("there is no decoded value")

func of(self unsafe.Pointer) *codec {
	return cgo.Handle((*C.instance)(self).handle).Value().(*codec)
}

// guarded turns an error, or a panic, which must not cross the boundary, into a status.
func (c *codec) guarded(otherwise C.int32_t, call func() error) (status C.int32_t) {
	fail := func(what any) {
		C.free(unsafe.Pointer(c.message))
		c.message = C.CString(fmt.Sprint(what))
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			fail(panicked)
			status = C.SERBENCH_INTERNAL
		}
	}()
	if err := call(); err != nil {
		fail(err)
		return otherwise
	}
	return C.SERBENCH_OK
}

// hand copies bytes into memory of C in the place of what was there.
func hand(bytes []byte, at *unsafe.Pointer, out *C.serbench_bytes) {
	C.free(*at)
	*at = C.CBytes(bytes)
	out.data = (*C.uint8_t)(*at)
	out.size = C.uint64_t(len(bytes))
}

func view(bytes C.serbench_bytes) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(bytes.data)), int(bytes.size))
}

//export codecOpen
func codecOpen(args *C.serbench_open_args, out **C.serbench_instance) C.int32_t {
	refuse := func(status C.int32_t, message string) C.int32_t {
		text := C.CString(message)
		defer C.free(unsafe.Pointer(text))
		C.set_open_error(text)
		return status
	}
	if C.GoString(args.dataset.name) != C.GoString(C.known_dataset.name) {
		return refuse(C.SERBENCH_UNSUPPORTED, "the plugin knows nested_struct only")
	}
	if args.mode&^(C.SERBENCH_MODE_FRESH_OUTPUT|C.SERBENCH_MODE_MISALIGNED_INPUT) != 0 {
		return refuse(C.SERBENCH_UNSUPPORTED, "a mode that the plugin does not know; rebuild it")
	}
	if C.GoString(args.dataset.fingerprint) != C.GoString(C.known_dataset.fingerprint) {
		return refuse(C.SERBENCH_INTERNAL, "built against another schema; rebuild the plugin")
	}
	c := new(codec)
	for _, value := range unsafe.Slice(args.values, int(args.value_count)) {
		c.values = append(c.values, fromCanonical(view(value)))
	}
	handle := cgo.NewHandle(c)
	instance := C.new_instance(C.uintptr_t(handle))
	if instance == nil {
		handle.Delete()
		return refuse(C.SERBENCH_OUT_OF_MEMORY, "no memory for the instance")
	}
	*out = &instance.abi
	return C.SERBENCH_OK
}

//export codecSerialize
func codecSerialize(self unsafe.Pointer, index C.uint64_t, out *C.serbench_bytes) C.int32_t {
	c := of(self)
	return c.guarded(C.SERBENCH_INTERNAL, func() error {
		bytes, err := marshal(c.values[index])
		if err == nil {
			hand(bytes, &c.out, out)
		}
		return err
	})
}

//export codecDeserialize
func codecDeserialize(self unsafe.Pointer, input C.serbench_bytes) C.int32_t {
	c := of(self)
	c.decoded = nil
	return c.guarded(C.SERBENCH_MALFORMED, func() error {
		value, err := unmarshal(view(input))
		if err == nil {
			c.decoded = value
		}
		return err
	})
}

//export codecRead
func codecRead(self unsafe.Pointer, sum *C.uint64_t) C.int32_t {
	c := of(self)
	return c.guarded(C.SERBENCH_INTERNAL, func() error {
		if c.decoded == nil {
			return errNoValue
		}
		*sum = C.uint64_t(checksum(c.decoded))
		return nil
	})
}

//export codecExport
func codecExport(self unsafe.Pointer, out *C.serbench_bytes) C.int32_t {
	c := of(self)
	return c.guarded(C.SERBENCH_INTERNAL, func() error {
		if c.decoded == nil {
			return errNoValue
		}
		hand(toCanonical(c.decoded), &c.exported, out)
		return nil
	})
}

//export codecLastError
func codecLastError(self unsafe.Pointer) *C.char {
	c := of(self)
	if c.message == nil {
		c.message = C.CString("")
	}
	return c.message
}

//export codecClose
func codecClose(self unsafe.Pointer) {
	c := of(self)
	cgo.Handle((*C.instance)(self).handle).Delete()
	C.free(c.out)
	C.free(c.exported)
	C.free(unsafe.Pointer(c.message))
	C.free(self)
}

func main() {}
