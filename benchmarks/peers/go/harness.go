package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// operationsOr is N from the environment, or fallback.
func operationsOr(fallback int) int {
	if value, err := strconv.Atoi(os.Getenv("N")); err == nil && value > 0 {
		return value
	}
	return fallback
}

func report(result float64) {
	fmt.Printf("RESULT %.3f\n", result)
}

func reportPerOperation(start time.Time, operations int) {
	report(float64(time.Since(start).Nanoseconds()) / float64(operations))
}

// cpuMs is the user and system time of this process.
func cpuMs() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := float64(usage.Utime.Sec + usage.Stime.Sec)
	return seconds*1e3 + float64(usage.Utime.Usec+usage.Stime.Usec)/1e3
}

// statusBytes is a field of /proc/self/status, converted from kB.
func statusBytes(key string) float64 {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 1 && fields[0] == key {
			kilobytes, _ := strconv.ParseFloat(fields[1], 64)
			return kilobytes * 1024
		}
	}
	panic("no " + key + " in /proc/self/status")
}

// sleepDelays is the sequence of delays that every peer uses: 0 … 100,000 microseconds each.
func sleepDelays(count int) []time.Duration {
	delays := make([]time.Duration, count)
	state := uint32(12345)
	for i := range delays {
		state = state*1664525 + 1013904223
		delays[i] = time.Duration((state>>8)%100001) * time.Microsecond
	}
	return delays
}
