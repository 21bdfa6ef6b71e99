#pragma once

// Everything in this folder: what is needed for models that others have trained.
#include "examples/published/by_columns.h"
#include "examples/published/byte_pairs.h"
#include "examples/published/config.h"
#include "examples/published/from_checkpoint.h"
#include "examples/published/hugging_face.h"
#include "examples/published/llama2c.h"
#include "examples/published/mingpt.h"
#include "examples/published/published.h"
#include "examples/published/rotary_scaling.h"
#include "examples/published/sentence_pieces.h"
#include "examples/published/tokenizer.h"
