--TEST--
declare(strict_types), __halt_compiler and a return at top level work unchanged
--FILE--
<?php
declare(strict_types=1);
namespace My;
use function Async\{spawn, delay};
spawn(function () { delay(1); echo "late\n"; });
try { strlen(5); } catch (\TypeError $e) { echo "strict\n"; }
if (true) { function conditional() { return __FUNCTION__; } }
echo conditional(), "\n";
return 5;
echo "never\n";
__halt_compiler();
data
--EXPECT--
strict
My\conditional
late
