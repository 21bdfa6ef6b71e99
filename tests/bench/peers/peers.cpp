#include "tests/bench/peers.h"

#include "tests/bench/peers/ort.h"

namespace regard::bench {

const std::vector<Peer>& peers() {
  static const std::vector<Peer> found = [] {
    std::vector<Peer> all;
#ifdef REGARD_OPENBLAS
    all.push_back(openblas());
    all.push_back(openblas_split());
#endif
#ifdef REGARD_EIGEN
    all.push_back(eigen());
#endif
#ifdef REGARD_ONEDNN
    all.push_back(onednn());
#endif
    if (has_ort()) all.push_back(ort());
    return all;
  }();
  return found;
}

void set_peer_threads(int count) {
  for (const Peer& peer : peers()) peer.set_threads(count);
}

}  // namespace regard::bench
