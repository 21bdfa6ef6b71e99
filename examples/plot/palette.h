#pragma once

#include "examples/plot/color.h"

// The colours of all pictures: here and nowhere else, so that what means the same looks the same. tests/plot/palette
// looks for others.
namespace regard::plot {

inline constexpr Color white = hex(0xffffff), black = hex(0x000000);
inline constexpr Color ink = hex(0x262626), grid_line = hex(0xeeeeee), legend_edge = hex(0xcccccc);

inline constexpr Color not_a_number = hex(0x9a9a9a);  // what is masked, too: in no map of weights
inline constexpr Color color_of_truth = black, color_of_data = hex(0x9a9a9a);
inline constexpr Color color_of_bound = hex(0x7f7f7f);  // what a curve is compared with: chance, a law, the noise

// Lines that ask for no colour: blue, orange, bluish green, dark red, and six more. The first six differ in lightness
// or between blue and yellow as well, so that they are told apart by those who see no difference between red and green,
// one man in twelve.
inline constexpr Color series_colors[] = {hex(0x1f77b4), hex(0xff7f0e), hex(0x00ad88), hex(0x7d0f28), hex(0xc9a0dc),
                                          hex(0x222222), hex(0x8c564b), hex(0x7f7f7f), hex(0xbcbd22), hex(0x17becf)};
inline constexpr Color with_scale = series_colors[0], without_scale = series_colors[1];  // q·k/√D, and q·k

// A kind of model has the same colour wherever it is drawn; of a variant of it the line is dashed.
inline constexpr Color color_of_attention = series_colors[0], color_of_delta_rule = series_colors[1],
                       color_of_gru = series_colors[2], color_of_rnn = series_colors[3];

// Maps: colours at equal steps from 0 to 1, with straight lines between them. The reds and the signed one (RdBu) are
// Cynthia Brewer's.
inline constexpr Color reds_map[] = {hex(0xfff5f0), hex(0xfee0d2), hex(0xfcbba1), hex(0xfc9272), hex(0xfb6a4a),
                                     hex(0xef3b2c), hex(0xcb181d), hex(0xa50f15), hex(0x67000d)};
inline constexpr Color viridis_map[] = {hex(0x440154), hex(0x482475), hex(0x414487), hex(0x355f8d),
                                        hex(0x2a788e), hex(0x21918c), hex(0x22a884), hex(0x44bf70),
                                        hex(0x7ad151), hex(0xbddf26), hex(0xfde725)};
inline constexpr Color diverging_map[] = {hex(0x053061), hex(0x2166ac), hex(0x4393c3), hex(0x92c5de),
                                          hex(0xd1e5f0), hex(0xf7f7f7), hex(0xfddbc7), hex(0xf4a582),
                                          hex(0xd6604d), hex(0xb2182b), hex(0x67001f)};
inline constexpr Color gray_map[] = {white, black};

}  // namespace regard::plot
