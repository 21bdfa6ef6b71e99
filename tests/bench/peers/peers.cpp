#include "tests/bench/peers.h"

namespace regard::bench {

const std::vector<Peer>& peers() {
  static const std::vector<Peer> found{
#ifdef REGARD_OPENBLAS
      openblas(),
      openblas_split(),
#endif
#ifdef REGARD_EIGEN
      eigen(),
#endif
#ifdef REGARD_ONEDNN
      onednn(),
#endif
  };
  return found;
}

void set_peer_threads(int count) {
  for (const Peer& peer : peers()) peer.set_threads(count);
}

}  // namespace regard::bench
