hyperoxo-table-bound 1
sha256 1d4dca6b2d83f7cc4b54948b16c4312bce0f29fc333298cf21b05193769c902c
game 3^2
seat 2
ties every
tables one
leaves 16
creator oxo leaves 3^2 --seat 2 --proof FILE
steps 48
at ....1....
on
at 1........
lost
lost
on
at 21..1....
lost
lost
lost
lost
on
at 11..2....
on
at 2.1.1....
lost
no 1.2*1 2.1*2 3.1*1 4.1*2 4.2*3
lost
on
at .1.......
no 0.0*1 5.1*1
lost
on
at .1..2..1.
on
at 1...2...1
no 6.0*1 7.0*1
on
at 2.1.2.1.1
lost
lost
no 5.2*1 6.0*1
on
at 2...1...1
lost
no 5.2*1 6.0*1
lost
no 1.0*1 5.2*1
lost
lost
no 1.0*1 2.2*2 3.0*2
lost
no 2.2*1 3.0*1
lost
lost
lost
lost
lost
