# A program that profiles itself: sets up a control block, runs a loop, polls head, reads the records and checks them.
#
# Assembled by assemble.py into program.hex. Ends by a store to tohost: 1 is good, anything else is the number of the
# check that failed (0x100 + cause for a trap that nobody expected).

.equ LWPMSR0, 0x7c0
.equ TOHOST,  0x10000
.equ LWPCB,   0x1000     # 40 + 8 * 4 bytes
.equ RING,    0x2000     # 4096 bytes: 128 records
.equ START,   3072       # head and tail at first: the ring wraps after 32 records
.equ FAR,     0x8000     # 64 words behind a slow memory: each load is a miss
.equ ENOUGH,  2048       # how far head moves: 64 records
.equ I_INS,   500        # intervals
.equ I_BR,    101
.equ I_DC,    203
.equ S_INS,   180        # instructions, branches, misses that may pass while records are stored
.equ S_BR,    20
.equ S_DC,    20

# Machine mode: what an operating system would do once.
        la   t0, trap
        csrw mtvec, t0
        li   s11, 0             # threshold interrupts
        li   t0, 15
        li   t1, 1
        slli t1, t1, 31
        or   t0, t0, t1         # enable, three events, interrupt
        csrw LWPMSR0, t0
        csrr t1, LWPMSR0
        li   a0, 2
        bne  t0, t1, finish
        la   t0, user
        csrw mepc, t0
        mret

trap:   csrr t6, mcause
        bltz t6, interrupt
        addi t6, t6, -8         # ECALL of the user: a0 is the verdict
        beqz t6, finish
        addi a0, t6, 0x108
finish: li   t6, TOHOST
        sd   a0, 0(t6)
halt:   j    halt
interrupt:
        addi s11, s11, 1
        mret

# User mode. s0: the control block.
user:   li   s0, LWPCB
        li   t0, 4096           # Flags 31:0 are the unit's, BufferSize 59:32, Random 63:60
        slli t0, t0, 32
        sd   t0, 0(s0)
        li   t0, RING
        sd   t0, 8(s0)          # BufferBase
        li   s10, START
        slli t0, s10, 32
        or   t0, t0, s10
        sd   t0, 16(s0)         # head, tail
        li   a7, 4095           # offsets are modulo the ring's size
        sd   x0, 24(s0)         # MissedEvents
        li   t0, 1024
        sd   t0, 32(s0)         # Threshold: 32 records; no filter
        li   t0, I_INS          # slots: EventInterval 25:0, EventId 31:26, EventCounter 57:32
        li   t1, 1
        call slot
        sd   t2, 40(s0)
        li   t0, I_BR
        li   t1, 2
        call slot
        sd   t2, 48(s0)
        li   t0, I_DC
        li   t1, 3
        call slot
        sd   t2, 56(s0)
        sd   x0, 64(s0)
        li   s2, FAR
        li   s3, 0
        li   s4, 0              # 8 * iterations
        li   s5, ENOUGH
        llwpcb x0, s0
        slwpcb t0
        li   a0, 4
        bne  t0, s0, verdict

# Nine instructions, one branch, one miss.
loop:   andi t4, s4, 0x1f8
        add  t4, t4, s2
load:   ld   t2, 0(t4)
        add  s3, s3, t2
        addi s4, s4, 8
        lwu  t3, 16(s0)         # head, as the unit writes it
        sub  t3, t3, s10
        and  t3, t3, a7
back:   bltu t3, s5, loop

# The end: LLWPCB of 0 writes head and counters back.
        llwpcb x0, x0
        slwpcb t0
        li   a0, 6
        bne  t0, x0, verdict
        lwu  s6, 16(s0)
        sub  t0, s6, s10
        and  t0, t0, a7
        li   a0, 8
        bltu t0, s5, verdict
        lwu  t0, 20(s0)         # the tail, which the unit never writes
        li   a0, 32
        bne  t0, s10, verdict
        ld   t0, 24(s0)         # the ring was never full
        li   a0, 10
        bne  t0, x0, verdict
        li   a0, 12             # the threshold was crossed once
        li   t0, 1
        bne  s11, t0, verdict

# The records. s1: where; s6: end; sums of interval for each event: s7, s8, s9; with what may pass: a2, a3, a4.
        li   s1, RING
        add  s6, s6, s1
        add  a6, s1, a7
        addi a6, a6, 1          # behind the ring
        add  s1, s1, s10
        li   s7, 0
        li   s8, 0
        li   s9, 0
        li   a2, 0
        li   a3, 0
        li   a4, 0
record: ld   t0, 0(s1)          # EventId 7:0, core 15:8, flags 31:28, data 63:32
        ld   t1, 8(s1)          # instruction
        ld   t2, 16(s1)         # target or data
        ld   t3, 24(s1)
        li   a0, 14
        bne  t3, x0, verdict
        srli t3, t0, 8
        andi t3, t3, 0xff
        li   t4, 0x2a
        li   a0, 16
        bne  t3, t4, verdict
        andi t3, t0, 0xff
        srli t0, t0, 28         # flags 3:0, data 35:4
        li   t4, 1
        beq  t3, t4, ins
        li   t4, 2
        beq  t3, t4, branch
        li   t4, 3
        beq  t3, t4, miss
        li   a0, 18
        j    verdict

ins:    li   a0, 20
        bne  t0, x0, verdict
        bne  t2, x0, verdict
        la   t4, loop
        bltu t1, t4, verdict
        la   t4, back
        bltu t4, t1, verdict
        addi s7, s7, I_INS
        addi a2, a2, S_INS
        j    next

branch: li   a0, 22             # taken, prediction unknown, from the end of the loop to its beginning
        li   t4, 8
        bne  t0, t4, verdict
        la   t4, back
        bne  t1, t4, verdict
        la   t4, loop
        bne  t2, t4, verdict
        addi s8, s8, I_BR
        addi a3, a3, S_BR
        j    next

miss:   li   a0, 24             # address valid, from DRAM; the latency is the memory's
        andi t4, t0, 15
        li   t5, 7
        bne  t4, t5, verdict
        srli t4, t0, 4
        li   t5, 12
        bne  t4, t5, verdict
        la   t4, load
        bne  t1, t4, verdict
        bltu t2, s2, verdict
        addi t4, s2, 0x200
        bgeu t2, t4, verdict
        addi s9, s9, I_DC
        addi a4, a4, S_DC

next:   addi s1, s1, 32
        bne  s1, a6, inside
        li   s1, RING
inside: bne  s1, s6, record

# No event came more often than its interval allows, none much less often.
        srli t0, s4, 3          # iterations: branches, misses
        slli t1, t0, 3
        add  t1, t1, t0         # instructions
        li   a0, 26
        bltu t1, s7, verdict
        addi t2, s7, I_INS
        add  t2, t2, a2
        bltu t2, t1, verdict
        li   a0, 28
        bltu t0, s8, verdict
        addi t2, s8, I_BR
        add  t2, t2, a3
        bltu t2, t0, verdict
        li   a0, 30
        bltu t0, s9, verdict
        addi t2, s9, I_DC
        add  t2, t2, a4
        bltu t2, t0, verdict
        li   a0, 1
verdict:
        ecall

# t2 := a slot with interval t0 of event t1; the counter starts at the interval.
slot:   slli t2, t0, 6
        or   t2, t2, t1
        slli t2, t2, 26
        or   t2, t2, t0
        ret
