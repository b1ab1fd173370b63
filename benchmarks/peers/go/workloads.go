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

const skynetChildren = 10

func skynetNode(result chan<- int, first, leaves int) {
	if leaves == 1 {
		result <- first
		return
	}
	each := leaves / skynetChildren
	children := make(chan int)
	for i := 0; i < skynetChildren; i++ {
		go skynetNode(children, first+i*each, each)
	}
	sum := 0
	for i := 0; i < skynetChildren; i++ {
		sum += <-children
	}
	result <- sum
}

func skynet(int) {
	leaves := 1
	for wanted := operationsOr(1_000_000); leaves < wanted; {
		leaves *= skynetChildren
	}
	result := make(chan int)
	start := time.Now()
	go skynetNode(result, 0, leaves)
	if sum := <-result; sum != leaves*(leaves-1)/2 {
		panic(sum)
	}
	report(float64(time.Since(start).Nanoseconds()) / 1e6)
}

// fanOut starts a goroutine per task, limited by a channel used as a semaphore.
func fanOut(limit int) {
	count := operationsOr(1_000_000)
	start := time.Now()
	results := make([]int, count)
	slots := make(chan struct{}, limit)
	var running sync.WaitGroup
	for i := 0; i < count; i++ {
		slots <- struct{}{}
		running.Add(1)
		go func(number int) {
			runtime.Gosched()
			results[number] = number
			<-slots
			running.Done()
		}(i)
	}
	running.Wait()
	sum := 0
	for _, result := range results {
		sum += result
	}
	if sum != count*(count-1)/2 {
		panic(sum)
	}
	reportPerOperation(start, count)
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

func channel(capacity int) {
	count := operationsOr(2_000_000)
	messages := make(chan uint64, capacity)
	done := make(chan uint64)
	start := time.Now()
	go func() {
		for i := 0; i < count; i++ {
			messages <- uint64(i)
		}
		close(messages)
	}()
	go func() {
		var sum uint64
		for value := range messages {
			sum += value
		}
		done <- sum
	}()
	<-done
	reportPerOperation(start, count)
}

func mutex(int) {
	count := operationsOr(10_000_000)
	var lock sync.Mutex
	start := time.Now()
	for i := 0; i < count; i++ {
		lock.Lock()
		lock.Unlock()
	}
	reportPerOperation(start, count)
}

// Go has no semaphore: a buffered channel, as is usual.
func semaphore(permits int) {
	count := operationsOr(10_000_000)
	free := make(chan struct{}, permits)
	start := time.Now()
	for i := 0; i < count; i++ {
		free <- struct{}{}
		<-free
	}
	reportPerOperation(start, count)
}
