hyperoxo-table-bound 1
sha256 8a071c2c6e96a7e70978531ed75238f21beefbaef868fca61690e0bec1155342
game 3^2
seat 2
ties lowest
tables one
leaves 3
creator oxo leaves 3^2 --seat 2 --ties lowest --seconds 10 --proof FILE
steps 62
at ......1..
lost
lost
lost
on
at ........1
no 0.0*1 1.1*1
lost
on
at ....1....
on
at ..1......
lost
lost
lost
on
at 1........
lost
lost
on
at .......1.
on
at .....1...
on
at ...1.....
no 0.0*1 7.2*1
lost
lost
no 6.3*1 7.2*1
no 0.2*1 7.0*2
lost
no 0.0*1 5.2*1 6.0*1
no 0.2*1 6.2*2
no 5.2*1 6.0*1
no 0.0*2 5.2*1
lost
on
at .....1...
no 5.0*1 6.3*1
lost
no 0.0*1 6.3*1
no 0.2*1 6.2*2
on
at ...1.....
no 0.0*1 7.2*1
lost
no 5.0*1 7.2*1
on
at ...121...
on
at ..1.2.1..
on
at 1...2...1
no 5.0*1 10.0*1
lost
no 5.0*1 9.0*1
no 5.0*1 8.0*1
no 0.2*1 7.3*1
no 0.0*1 5.3*1
lost
lost
lost
