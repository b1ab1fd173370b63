<?php

namespace {
    /** The base of cancellations. Neither Error nor Exception, so a `catch` for these does not catch it. */
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
    /** Thrown at the suspension point of a cancelled coroutine. */
    class AsyncCancellation extends \Cancellation
    {
    }

    /** The cancellation token of a wait has fired. The previous exception is the cause. */
    class OperationCanceledException extends AsyncCancellation
    {
    }
}
