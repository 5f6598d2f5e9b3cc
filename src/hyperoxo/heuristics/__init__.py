"""Line heuristics: the value of a line by the stones on it, as tables for compiled loops."""
