hyperoxo-table-bound 1
sha256 89ec72831a79e4337d6d2f6368f9aa9641c1088b57f3b50cb23ef81216a18233
game 3^2
seat 2
ties every
tables by-ply
leaves 8
creator oxo leaves 3^2 --seat 2 --by-ply --proof FILE
steps 26
at ....1....
on
at .1.......
no 1.1*1 1.3*1
lost
on
at .1.12....
on
at 1........
lost
lost
on
at 1...2...1
on
at 2...1...1
lost
no 4.0*1 5.0*1
lost
lost
lost
no 2.0*1 2.2*1
lost
lost
lost
no 0.0*2 1.2*1
lost
