Words.

@title Chain
@name chain
@wrapped run_command
@command ls
@type C0 {object} T
@property C0.a {C1} A
@type C1 {object} T
@property C1.a {C2} A
@type C2 {object} T
@property C2.a {C3} A
@type C3 {object} T
@property C3.a {C4} A
@type C4 {object} T
@property C4.a {C5} A
@type C5 {object} T
@property C5.a {C6} A
@type C6 {object} T
@property C6.a {C7} A
@type C7 {object} T
@property C7.a {C8} A
@type C8 {object} T
@property C8.a {C9} A
@type C9 {object} T
@property C9.a {C10} A
@type C10 {object} T
@property C10.a {C11} A
@type C11 {object} T
@property C11.a {C12} A
@type C12 {object} T
@property C12.a {C13} A
@type C13 {object} T
@property C13.a {C14} A
@type C14 {object} T
@property C14.a {C15} A
@type C15 {object} T
@property C15.a {C16} A
@type C16 {object} T
@property C16.a {C17} A
@type C17 {object} T
@property C17.a {C18} A
@type C18 {object} T
@property C18.a {C19} A
@type C19 {object} T
@property C19.a {C20} A
@type C20 {object} T
