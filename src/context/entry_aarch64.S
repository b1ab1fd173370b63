// The entry of an aarch64 context, and the call on another stack.
#if defined(__aarch64__)

        .text

// make_context stores the entry at [sp], its argument at [sp, 8]; sp is a multiple of 16. The return address is
// undefined, so unwinders and debuggers stop here.
        .p2align 4
        .globl  trueasync_context_entry
        .hidden trueasync_context_entry
        .type   trueasync_context_entry, %function
trueasync_context_entry:
        .cfi_startproc
        .cfi_undefined x30
        hint    #36             // bti j
        ldp     x9, x0, [sp]
        mov     x29, xzr
        mov     x30, xzr
        blr     x9
        brk     #1
        .cfi_endproc
        .size   trueasync_context_entry, .-trueasync_context_entry

// void trueasync_call_on_stack(void* top, void (*call)(void*), void* argument)
// The frame is described by x29, so a backtrace from the other stack leads back to the caller.
        .p2align 4
        .globl  trueasync_call_on_stack
        .hidden trueasync_call_on_stack
        .type   trueasync_call_on_stack, %function
trueasync_call_on_stack:
        .cfi_startproc
        hint    #34             // bti c
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa x29, 16
        mov     sp, x0
        mov     x0, x2
        blr     x1
        mov     sp, x29
        .cfi_def_cfa sp, 16
        ldp     x29, x30, [sp], #16
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   trueasync_call_on_stack, .-trueasync_call_on_stack

#endif

        .section .note.GNU-stack, "", %progbits
