// The entry of an x86-64 context, and the call on another stack. This file has no .note.gnu.property on purpose: the
// linker then disables shadow stacks, which do not work with switched stacks.
#if defined(__x86_64__)

        .text

// make_context stores the entry at 0(%rsp), its argument at 8(%rsp); %rsp is a multiple of 16. The return address is
// undefined, so unwinders and debuggers stop here.
        .p2align 4
        .globl  trueasync_context_entry
        .hidden trueasync_context_entry
        .type   trueasync_context_entry, @function
trueasync_context_entry:
        .cfi_startproc
        .cfi_undefined rip
        endbr64
        movq    0(%rsp), %rax
        movq    8(%rsp), %rdi
        xorl    %ebp, %ebp
        call    *%rax
        ud2
        .cfi_endproc
        .size   trueasync_context_entry, .-trueasync_context_entry

// void trueasync_call_on_stack(void* top, void (*call)(void*), void* argument)
// The frame is described by %rbp, so a backtrace from the other stack leads back to the caller.
        .p2align 4
        .globl  trueasync_call_on_stack
        .hidden trueasync_call_on_stack
        .type   trueasync_call_on_stack, @function
trueasync_call_on_stack:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register rbp
        movq    %rdi, %rsp
        movq    %rdx, %rdi
        call    *%rsi
        movq    %rbp, %rsp
        popq    %rbp
        .cfi_def_cfa rsp, 8
        ret
        .cfi_endproc
        .size   trueasync_call_on_stack, .-trueasync_call_on_stack

#endif

        .section .note.GNU-stack, "", %progbits
