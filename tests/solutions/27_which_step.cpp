// h = ∛(3·u·|f|/|f‴|). With u = 10⁻¹⁶ it is ∛(3·10⁻¹⁶), ∛(3·10⁻¹⁶/10⁶) and ∛(3·10⁻¹⁶·10⁶); in f32 ∛(18·10⁻⁸).
const double h_plain = 7e-6;
const double h_bent = 7e-8;
const double h_high = 7e-4;
const double h_f32 = 6e-3;
