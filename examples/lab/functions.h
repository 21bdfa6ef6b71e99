#pragma once

#include "examples/lab/lab.h"

// All that the page calls. What they take and give stands where they are defined.

LAB int birds(const double* qkv, int, double temperature, int masked);
LAB int birds_step(const double* qkv, int, double temperature, int masked, double rate);

LAB int llama_open(const char* model, int model_size, const char* pieces, int pieces_size);
LAB int llama_tokens(const char* text, int size);
LAB int llama_piece(int token, int previous);
LAB int llama_hold(int layer, int head, int query, int key, double weight);
LAB int llama_look(const double* tokens, int count, int wrong_layout, const double* heads, int);
LAB int llama_foretell(const double* tokens, int count, int wrong_layout, const double* heads, int, int layer, int head,
                       int query, int key, int next);
LAB int llama_heat(const double* tokens, int count, int wrong_layout, const double* heads, int, int next);
LAB int llama_read(const double* tokens, int count, int wrong_layout, const double* heads, int);
LAB int llama_draw(double temperature, double top_p, int seed);
LAB int llama_go_on(int token, int wrong_layout, const double* heads, int);

LAB int grow_begin(int sorts, int positions, int seed);
LAB int grow_learn(int steps);
LAB int grow_look(const double* digits, int count, const double* heads, int);
LAB int grow_accuracy(const double* heads, int);

LAB int score_graph(const char* text, int size, const double* given, int);
LAB int score_check(const char* text, int size);
LAB int score_laws(const char* text, int size);
LAB int score_race(const char* text, int size);
LAB int score_race_steps(int count);

LAB int wrong_rule(int mistake, double h);
LAB int wrong_rule_verdicts(int mistake);

LAB int near_points(int count, int seed);
LAB int near_fit(const double* points, int count, double width, double query);
LAB int near_curves(const double* points, int count);
LAB int near_learn(const double* points, int count, double width, int left_out);

LAB int fade(int count, double scale, int seed);
