Words.

@title Deep
@name deep
@wrapped run_command
@command echo {a}
@param a {array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<array<string>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>} A
@type T0 {object} T
@type T1 {object} T
@property T1.a {T0} A
@property T1.b {T0} B
@type T2 {object} T
@property T2.a {T1} A
@property T2.b {T1} B
@type T3 {object} T
@property T3.a {T2} A
@property T3.b {T2} B
@type T4 {object} T
@property T4.a {T3} A
@property T4.b {T3} B
@type T5 {object} T
@property T5.a {T4} A
@property T5.b {T4} B
@type T6 {object} T
@property T6.a {T5} A
@property T6.b {T5} B
@type T7 {object} T
@property T7.a {T6} A
@property T7.b {T6} B
@type T8 {object} T
@property T8.a {T7} A
@property T8.b {T7} B
@type T9 {object} T
@property T9.a {T8} A
@property T9.b {T8} B
@type T10 {object} T
@property T10.a {T9} A
@property T10.b {T9} B
@type T11 {object} T
@property T11.a {T10} A
@property T11.b {T10} B
@type T12 {object} T
@property T12.a {T11} A
@property T12.b {T11} B
@type T13 {object} T
@property T13.a {T12} A
@property T13.b {T12} B
@type T14 {object} T
@property T14.a {T13} A
@property T14.b {T13} B
