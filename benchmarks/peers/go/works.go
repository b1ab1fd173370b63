package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

func yield(count int) {
	each := operationsOr(5_000_000) / count
	var running sync.WaitGroup
	running.Add(count)
	for i := 0; i < count; i++ {
		go func() {
			for k := 0; k < each; k++ {
				runtime.Gosched()
			}
			running.Done()
		}()
	}
	start := time.Now()
	running.Wait()
	reportPerOperation(start, each*count)
}

func spawnBatches(batch, batches int) {
	var running sync.WaitGroup
	for i := 0; i < batches; i++ {
		running.Add(batch)
		for k := 0; k < batch; k++ {
			go func() { running.Done() }()
		}
		running.Wait()
	}
}

func spawn(batch int) {
	batches := operationsOr(1_000_000) / batch
	spawnBatches(batch, 100)
	start := time.Now()
	spawnBatches(batch, batches)
	reportPerOperation(start, batches*batch)
}

func memory(size int) {
	count := operationsOr(size)
	debug.FreeOSMemory()
	var started sync.WaitGroup
	started.Add(count)
	gate := make(chan int)
	residentBefore, tablesBefore := statusBytes("VmRSS:"), statusBytes("VmPTE:")
	for i := 0; i < count; i++ {
		go func() {
			started.Done()
			<-gate
		}()
	}
	started.Wait()
	resident := (statusBytes("VmRSS:") - residentBefore) / float64(count)
	tables := (statusBytes("VmPTE:") - tablesBefore) / float64(count)
	fmt.Printf("NOTE %.0f bytes resident + %.0f of page tables\n", resident, tables)
	report(resident + tables)
}

func sleep(sleeps int) {
	count := operationsOr(100_000)
	start := cpuMs()
	delays := sleepDelays(count * sleeps)
	var running sync.WaitGroup
	running.Add(count)
	for i := 0; i < count; i++ {
		go func(i int) {
			for k := 0; k < sleeps; k++ {
				time.Sleep(delays[i*sleeps+k])
			}
			running.Done()
		}(i)
	}
	running.Wait()
	report(cpuMs() - start)
}
