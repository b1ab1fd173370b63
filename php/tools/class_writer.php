<?php
// Writes the C declarations of the classes, interfaces and enums of a stub: methods and a registration function.

namespace TrueAsync\Tools;

final class ClassWriter
{
    private readonly \ReflectionClass $class;
    private readonly string $symbol;

    public function __construct(private readonly ClassHeading $heading)
    {
        $this->class = new \ReflectionClass($heading->name);
        $this->symbol = ArgInfoWriter::symbol($heading->name);
    }

    /** @return \ReflectionMethod[] without inherited methods */
    private function methods(): array
    {
        if ($this->heading->kind === 'enum') {
            return []; // the engine adds cases(), from() and tryFrom()
        }
        return array_filter($this->class->getMethods(), fn ($method) => $method->class === $this->class->name);
    }

    public function arginfo(): string
    {
        $text = '';
        foreach ($this->methods() as $method) {
            $text .= ArgInfoWriter::arginfo($method, "class_{$this->symbol}_{$method->name}") . "\n";
        }
        return $text;
    }

    public function declarations(): string
    {
        $text = '';
        foreach ($this->methods() as $method) {
            $text .= $method->isAbstract() ? '' : "ZEND_METHOD({$this->symbol}, {$method->name});\n";
        }
        return $text;
    }

    public function table(): string
    {
        $entries = [];
        foreach ($this->methods() as $method) {
            $arguments = "{$this->symbol}, {$method->name}, arginfo_class_{$this->symbol}_{$method->name}, ";
            $entries[] = ($method->isAbstract() ? 'ZEND_ABSTRACT_ME_WITH_FLAGS(' : 'ZEND_ME(')
                . $arguments . self::flags($method) . ')';
        }
        return ArgInfoWriter::table("class_{$this->symbol}_methods", $entries);
    }

    private static function flags(\ReflectionMethod|\ReflectionProperty $member): string
    {
        $flags = [$member->isPublic() ? 'PUBLIC' : ($member->isProtected() ? 'PROTECTED' : 'PRIVATE')];
        $member->isStatic() and $flags[] = 'STATIC';
        if ($member instanceof \ReflectionMethod) {
            $member->isAbstract() and $flags[] = 'ABSTRACT';
            $member->isFinal() and $flags[] = 'FINAL';
        } else {
            $member->isReadOnly() and $flags[] = 'READONLY';
        }
        return implode('|', array_map(fn (string $flag): string => "ZEND_ACC_$flag", $flags));
    }

    public function registration(): string
    {
        $needs = [...($this->heading->parent !== null ? [$this->heading->parent] : []), ...$this->heading->interfaces];
        $parameters = array_map(fn (string $name): string => 'zend_class_entry *' . self::entry($name), $needs);
        $lines = $this->heading->kind === 'enum' ? $this->registerEnum() : $this->registerClass();
        if ($this->heading->interfaces !== []) {
            $entries = implode(', ', array_map(self::entry(...), $this->heading->interfaces));
            $lines[] = sprintf('zend_class_implements(class_entry, %d, %s);', count($this->heading->interfaces), $entries);
        }
        foreach ($this->heading->kind === 'class' ? $this->class->getProperties() : [] as $property) {
            if ($property->class === $this->class->name) {
                array_push($lines, ...self::property($property));
            }
        }
        $body = implode('', array_map(fn (string $line): string => $line === '' ? "\n" : "\t$line\n", $lines));
        return "static inline zend_class_entry *register_class_{$this->symbol}(" . (implode(', ', $parameters) ?: 'void')
            . ")\n{\n$body\treturn class_entry;\n}\n";
    }

    private static function entry(string $class): string
    {
        return 'class_entry_' . ArgInfoWriter::symbol($class);
    }

    private function registerClass(): array
    {
        $short = $this->class->getShortName();
        $namespace = $this->class->getNamespaceName();
        $table = "class_{$this->symbol}_methods";
        $lines = ['zend_class_entry ce, *class_entry;', $namespace === ''
            ? "INIT_CLASS_ENTRY(ce, \"$short\", $table);" : "INIT_NS_CLASS_ENTRY(ce, \"$namespace\", \"$short\", $table);"];
        if ($this->heading->kind === 'interface') {
            return [...$lines, 'class_entry = zend_register_internal_interface(&ce);'];
        }
        $parent = $this->heading->parent !== null ? self::entry($this->heading->parent) : 'NULL';
        $lines[] = "class_entry = zend_register_internal_class_ex(&ce, $parent);";
        $flags = $this->class->isFinal() ? ['ZEND_ACC_FINAL'] : [];
        if ($this->heading->parent === null && $this->heading->interfaces !== ['Throwable']) {
            // Only exceptions can be serialized and have dynamic properties.
            array_push($flags, 'ZEND_ACC_NO_DYNAMIC_PROPERTIES', 'ZEND_ACC_NOT_SERIALIZABLE');
        }
        return $flags === [] ? $lines : [...$lines, 'class_entry->ce_flags |= ' . implode('|', $flags) . ';'];
    }

    private function registerEnum(): array
    {
        $enum = new \ReflectionEnum($this->class->name);
        $backing = (string) $enum->getBackingType();
        $type = ['' => 'IS_UNDEF', 'int' => 'IS_LONG', 'string' => 'IS_STRING'][$backing];
        $name = ArgInfoWriter::className($this->class->name);
        $lines = ["zend_class_entry *class_entry = zend_register_internal_enum(\"$name\", $type, "
            . "class_{$this->symbol}_methods);", 'class_entry->ce_flags |= ZEND_ACC_FINAL; /* 8.2 leaves it out */'];
        foreach ($enum->getCases() as $case) {
            $value = 'NULL';
            if ($backing !== '') {
                $value = "&case_{$case->name}";
                $lines[] = "zval case_{$case->name};";
                $lines[] = $backing === 'int' ? "ZVAL_LONG($value, {$case->getBackingValue()});"
                    : "ZVAL_STR($value, zend_string_init_interned(\"{$case->getBackingValue()}\", "
                        . strlen($case->getBackingValue()) . ', 1));';
            }
            $lines[] = "zend_enum_add_case_cstr(class_entry, \"{$case->name}\", $value);";
        }
        return $lines;
    }

    private static function property(\ReflectionProperty $property): array
    {
        $name = $property->name;
        $type = $property->getType();
        $value = match (true) {
            !$property->hasDefaultValue() => "ZVAL_UNDEF(&default_$name);",
            $property->getDefaultValue() === '' => "ZVAL_EMPTY_STRING(&default_$name);",
            $property->getDefaultValue() === [] => "ZVAL_EMPTY_ARRAY(&default_$name);",
            $property->getDefaultValue() === null => "ZVAL_NULL(&default_$name);",
            is_int($property->getDefaultValue()) => "ZVAL_LONG(&default_$name, {$property->getDefaultValue()});",
        };
        $lines = ['', "zval default_$name;", $value,
            "zend_string *name_$name = zend_string_init(\"$name\", sizeof(\"$name\") - 1, 1);"];
        $arguments = "class_entry, name_$name, &default_$name, " . self::flags($property) . ', NULL';
        if ($type === null) {
            $lines[] = "zend_declare_property_ex($arguments);";
        } else {
            $code = $type->isBuiltin() ? [
                'string' => 'MAY_BE_STRING', 'int' => 'MAY_BE_LONG', 'bool' => 'MAY_BE_BOOL', 'array' => 'MAY_BE_ARRAY',
            ][$type->getName()] : null;
            $null = $type->allowsNull() ? ($code !== null ? '|MAY_BE_NULL' : '1') : ($code !== null ? '' : '0');
            $class = '"' . ArgInfoWriter::className($type->getName()) . '"';
            $init = $code !== null ? "ZEND_TYPE_INIT_MASK($code$null)"
                : "ZEND_TYPE_INIT_CLASS(zend_string_init($class, sizeof($class) - 1, 1), $null, 0)";
            $lines[] = "zend_type type_$name = $init;";
            $lines[] = "zend_declare_typed_property($arguments, type_$name);";
        }
        $lines[] = "zend_string_release(name_$name);";
        return $lines;
    }
}
