// a reaches y straight, with the slope u = 5, and through the sum, with 1·a = 2; what comes by two ways adds up.
const double dy_da = 5 + 1 * 2;
// b reaches y through the sum only, with 1·a.
const double dy_db = 1 * 2;
