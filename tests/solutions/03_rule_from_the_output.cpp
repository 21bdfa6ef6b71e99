// (−1)·p·1·(−y/t) = y·p/t, and since p = t − 1 and 1/t = y, p/t = 1 − y. It is largest, ¼, where y is ½.
double sigmoid_slope(double y) { return y * (1 - y); }
