// Go: goroutines on one thread (the driver sets GOMAXPROCS=1).
//
// Called as `<program> <workload>`; prints `RESULT <number>`. N in the environment sets the number of operations.
package main

import (
	"fmt"
	"os"
)

type workload struct {
	run  func(size int)
	size int
}

var workloads = map[string]workload{
	"yield-2":       {yield, 2},
	"yield-16":      {yield, 16},
	"yield-100":     {yield, 100},
	"yield-1000":    {yield, 1000},
	"yield-10000":   {yield, 10_000},
	"spawn":         {spawn, 100},
	"skynet":        {skynet, 0},
	"memory-1m":     {memory, 1_000_000},
	"sleep-100k":    {sleep, 1},
	"sleep-100k-x5": {sleep, 5},
	"channel-0":     {channel, 0},
	"channel-128":   {channel, 128},
	"mutex":         {mutex, 0},
	"semaphore":     {semaphore, 8},
	"pool-1":        {poolAlone, 0},
	"pool-64":       {poolShared, 64},
	"pool-waiters":  {poolWaiters, 0},
	"fan-out":       {fanOut, 100},
	"serve-echo":    {serveEcho, 0},
	"serve-http":    {serveHTTP, 0},
}

func main() {
	if len(os.Args) == 2 {
		if chosen, known := workloads[os.Args[1]]; known {
			chosen.run(chosen.size)
			return
		}
	}
	fmt.Fprintf(os.Stderr, "usage: %s <workload>\n", os.Args[0])
	os.Exit(2)
}
