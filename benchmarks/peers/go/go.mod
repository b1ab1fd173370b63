module trueasync/benchmarks/go

go 1.19
