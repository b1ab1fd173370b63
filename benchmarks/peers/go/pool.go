package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

const (
	poolResources  = 8
	poolFewWaiters = 10_000
)

// The usual pool in Go: a buffered channel of idle resources.
func newPool(resources int) chan *uint64 {
	pool := make(chan *uint64, resources)
	for i := 0; i < resources; i++ {
		pool <- new(uint64)
	}
	return pool
}

func poolAlone(int) {
	count := operationsOr(10_000_000)
	pool := newPool(poolResources)
	start := time.Now()
	for i := 0; i < count; i++ {
		resource := <-pool
		*resource++
		pool <- resource
	}
	reportPerOperation(start, count)
}

func poolUsers(users int, use func()) {
	var running sync.WaitGroup
	running.Add(users)
	for i := 0; i < users; i++ {
		go func() {
			use()
			running.Done()
		}()
	}
	running.Wait()
}

// Fairness: the duration of each wait, and the number of grants to other goroutines during it.
func notePoolFairness(users int) {
	const rounds = 2_000
	pool := newPool(poolResources)
	var grants, otherGrants, maxOtherGrants int
	var total, maxWait time.Duration
	poolUsers(users, func() {
		for round := 0; round < rounds; round++ {
			before, start := grants, time.Now()
			resource := <-pool
			waited, others := time.Since(start), grants-before
			grants++
			otherGrants += others
			total += waited
			if others > maxOtherGrants {
				maxOtherGrants = others
			}
			if waited > maxWait {
				maxWait = waited
			}
			runtime.Gosched()
			pool <- resource
		}
	})
	mean := float64(total.Nanoseconds()) / float64(grants)
	fmt.Printf("NOTE wait time: mean %.0f ns, maximum %.1f times the mean; %.1f grants to others during a wait on average, %d at most\n",
		mean, float64(maxWait.Nanoseconds())/mean, float64(otherGrants)/float64(grants), maxOtherGrants)
}

func poolShared(users int) {
	each := operationsOr(2_000_000) / users
	pool := newPool(poolResources)
	start := time.Now()
	poolUsers(users, func() {
		for i := 0; i < each; i++ {
			resource := <-pool
			*resource++
			runtime.Gosched()
			pool <- resource
		}
	})
	elapsed := time.Since(start)
	var sum uint64
	for i := 0; i < poolResources; i++ {
		sum += *<-pool
	}
	if sum != uint64(each*users) {
		panic(sum)
	}
	notePoolFairness(users)
	report(float64(elapsed.Nanoseconds()) / float64(each*users))
}

func poolWaitCost(waiters int) float64 {
	pool := newPool(1)
	var running sync.WaitGroup
	running.Add(waiters)
	waiting := 0
	start := time.Now()
	held := <-pool
	for i := 0; i < waiters; i++ {
		go func() {
			waiting++
			resource := <-pool
			*resource++
			pool <- resource
			running.Done()
		}()
	}
	for waiting < waiters {
		runtime.Gosched()
	}
	pool <- held
	running.Wait()
	return float64(time.Since(start).Nanoseconds()) / float64(waiters)
}

func poolWaiters(int) {
	many := operationsOr(100_000)
	poolWaitCost(many)
	few, all := poolWaitCost(poolFewWaiters), poolWaitCost(many)
	fmt.Printf("NOTE %.0f ns per waiter among %d, %.0f ns among %d\n", few, poolFewWaiters, all, many)
	report(all / few)
}
