<?php

namespace {
    /** The third kind of Throwable beside Error and Exception: not caught by a `catch` for either. */
    class Cancellation implements \Throwable
    {
        protected $message = '';
        private string $string = '';
        protected $code = 0;
        protected string $file = '';
        protected int $line = 0;
        private array $trace = [];
        private ?\Throwable $previous = null;

        public function __construct(string $message = '', int $code = 0, ?\Throwable $previous = null) {}

        final public function getMessage(): string {}

        /** @return int */
        final public function getCode() {}

        final public function getFile(): string {}

        final public function getLine(): int {}

        final public function getTrace(): array {}

        final public function getPrevious(): ?\Throwable {}

        final public function getTraceAsString(): string {}

        public function __toString(): string {}
    }
}

namespace Async {
    /** Thrown where a cancelled coroutine waits. */
    class AsyncCancellation extends \Cancellation
    {
    }

    /** A wait was ended by its token; the reason is the previous one. */
    class OperationCanceledException extends AsyncCancellation
    {
    }
}
