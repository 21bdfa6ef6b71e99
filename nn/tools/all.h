#pragma once

// What explains, draws, watches and checks: no computation needs it.
#include "autograd/gradcheck/bisect/bisect.h"
#include "autograd/gradcheck/bisect/shrink.h"
#include "nn/kit/subject.h"
#include "nn/tools/anomaly/anomaly.h"
#include "nn/tools/bisect_module.h"
#include "nn/tools/cost/cost.h"
#include "nn/tools/cost/profile.h"
#include "nn/tools/draw/draw.h"
#include "nn/tools/explain/explain.h"
#include "nn/tools/explain/influence.h"
#include "nn/tools/explain/paths.h"
#include "nn/tools/parameter_names.h"
#include "nn/tools/parts.h"
#include "nn/tools/view/viewer.h"
#include "nn/tools/watch/warnings.h"
#include "nn/tools/watch/watch.h"
