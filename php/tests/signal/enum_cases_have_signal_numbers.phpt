--TEST--
The enum has the documented cases
--FILE--
<?php
foreach (Async\Signal::cases() as $c) echo "$c->name=$c->value ";
echo "\n";
var_dump(Async\Signal::from(15), Async\Signal::tryFrom(99));
?>
--EXPECT--
SIGHUP=1 SIGINT=2 SIGQUIT=3 SIGILL=4 SIGABRT=6 SIGFPE=8 SIGKILL=9 SIGUSR1=10 SIGSEGV=11 SIGUSR2=12 SIGTERM=15 SIGBREAK=21 SIGABRT2=22 SIGWINCH=28 
enum(Async\Signal::SIGTERM)
NULL
