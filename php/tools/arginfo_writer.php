<?php
// Writes functions and methods of a stub as C macros of zend_API.h: arginfo, declarations and entry tables.

namespace TrueAsync\Tools;

final class ArgInfoWriter
{
    private const CODES = ['int' => 'LONG', 'float' => 'DOUBLE', 'bool' => 'BOOL', 'self' => 'STATIC'];

    /** The macros that describe one function; $symbol is the name after arginfo_. */
    public static function arginfo(\ReflectionFunctionAbstract $function, string $symbol): string
    {
        $lines = [self::begin($function, "arginfo_$symbol")];
        foreach ($function->getParameters() as $parameter) {
            $lines[] = "\t" . self::parameter($parameter);
        }
        return implode("\n", [...$lines, 'ZEND_END_ARG_INFO()']) . "\n";
    }

    private static function begin(\ReflectionFunctionAbstract $function, string $symbol): string
    {
        $required = $function->getNumberOfRequiredParameters();
        $type = $function->getReturnType();
        if ($type === null) {
            return "ZEND_BEGIN_ARG_INFO_EX($symbol, 0, 0, $required)";
        }
        [$class, $mask] = self::split($type);
        $nullable = $type->allowsNull() && (string) $type !== 'mixed' ? 1 : 0;
        if ($class !== null && $mask === []) {
            return "ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX($symbol, 0, $required, $class, $nullable)";
        }
        if ($class === null && count($mask) === 1) {
            return "ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX($symbol, 0, $required, " . self::code($mask[0]) . ", $nullable)";
        }
        $bits = self::mask($mask, $nullable);
        return $class === null
            ? "ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX($symbol, 0, $required, $bits)"
            : "ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX($symbol, 0, $required, $class, $bits)";
    }

    private static function parameter(\ReflectionParameter $parameter): string
    {
        $name = $parameter->getName();
        $type = $parameter->getType() ?? throw new \LogicException("\$$name has no type");
        [$class, $mask] = self::split($type);
        $nullable = $type->allowsNull() && (string) $type !== 'mixed' ? 1 : 0;
        $default = $parameter->isDefaultValueAvailable() ? self::quote(self::defaultText($parameter)) : null;
        if (count($mask) + ($class !== null ? 1 : 0) > 1) {
            $bits = self::mask($mask, $nullable);
            $value = $default ?? 'NULL';
            return $class === null ? "ZEND_ARG_TYPE_MASK(0, $name, $bits, $value)"
                : "ZEND_ARG_OBJ_TYPE_MASK(0, $name, $class, $bits, $value)";
        }
        $kind = $class !== null ? 'OBJ_INFO' : 'TYPE_INFO';
        $what = $class ?? self::code($mask[0]);
        if ($parameter->isVariadic()) {
            return "ZEND_ARG_VARIADIC_$kind(0, $name, $what, $nullable)";
        }
        return $default === null ? "ZEND_ARG_$kind(0, $name, $what, $nullable)"
            : "ZEND_ARG_{$kind}_WITH_DEFAULT_VALUE(0, $name, $what, $nullable, $default)";
    }

    /** A type as [class name or null, names of builtin types without null]. */
    private static function split(\ReflectionType $type): array
    {
        $class = null;
        $mask = [];
        foreach ($type instanceof \ReflectionUnionType ? $type->getTypes() : [$type] as $part) {
            $name = $part->getName();
            if ($name === 'iterable') {
                [$class, $mask] = ['Traversable', ['array']];
            } elseif (!$part->isBuiltin()) {
                $class = self::className($name);
            } elseif ($name !== 'null') {
                $mask[] = $name;
            }
        }
        return [$class, $mask];
    }

    private static function code(string $type): string
    {
        return $type === 'bool' ? '_IS_BOOL' : 'IS_' . self::upper($type);
    }

    private static function mask(array $types, int $nullable): string
    {
        $bits = array_map(fn (string $type): string => 'MAY_BE_' . self::upper($type), $types);
        return implode('|', $nullable ? [...$bits, 'MAY_BE_NULL'] : $bits);
    }

    private static function upper(string $type): string
    {
        return self::CODES[$type] ?? strtoupper($type);
    }

    private static function defaultText(\ReflectionParameter $parameter): string
    {
        if ($parameter->isDefaultValueConstant()) {
            $name = $parameter->getDefaultValueConstantName();
            return substr($name, (int) strrpos('\\' . $name, '\\'));
        }
        $value = $parameter->getDefaultValue();
        return match (true) {
            $value === [] => '[]',
            $value === null => 'null',
            $value === '' => '""',
            default => var_export($value, true),
        };
    }

    private static function quote(string $text): string
    {
        return '"' . addcslashes($text, '"\\') . '"';
    }

    public static function className(string $name): string
    {
        return str_replace('\\', '\\\\', $name);
    }

    public static function symbol(string $name): string
    {
        return str_replace('\\', '_', $name);
    }

    /** A table of entries, terminated by ZEND_FE_END. */
    public static function table(string $name, array $entries): string
    {
        $lines = array_map(fn (string $entry): string => "\t$entry\n", [...$entries, 'ZEND_FE_END']);
        return "static const zend_function_entry {$name}[] = {\n" . implode('', $lines) . "};\n";
    }
}
