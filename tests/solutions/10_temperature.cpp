// 8^(1/τ) = 2 for τ = 3, the third root. At τ = ½ the powers are 8² and 1.
const double temperature = 3;
const double weight_of_sing = 64.0 / 65;
