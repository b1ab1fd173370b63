package main

import (
	"fmt"
	"net"
	"net/http"
)

// serveEcho echoes on every connection until the driver kills the program.
func serveEcho(int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("PORT %d\n", listener.Addr().(*net.TCPAddr).Port)
	for {
		if peer, err := listener.Accept(); err == nil {
			go echo(peer)
		}
	}
}

func echo(peer net.Conn) {
	defer peer.Close()
	buffer := make([]byte, 4096)
	for {
		got, err := peer.Read(buffer)
		if err != nil {
			return
		}
		if _, err = peer.Write(buffer[:got]); err != nil {
			return
		}
	}
}

// serveHTTP responds to every request with "Hello, World!".
func serveHTTP(int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	hello := []byte("Hello, World!")
	handler := http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("Content-Type", "text/plain")
		answer.Write(hello)
	})
	fmt.Printf("PORT %d\n", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, handler))
}
