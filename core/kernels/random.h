#pragma once
// xoshiro256++ (Blackman and Vigna 2019), seeded through splitmix64 as its
// authors advise: period 2^256 - 1, 64 bits a call.

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace tidemark::kernels {

class Random {
 public:
  /// Every bit of the seed counts; any double will do.
  explicit Random(double seed) {
    uint64_t x = std::bit_cast<uint64_t>(seed);
    for (uint64_t& word : state_) {
      x += 0x9e3779b97f4a7c15u;
      uint64_t z = x;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  uint64_t bits() {
    uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// Standard normal, by Marsaglia's polar method.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double x, y, s;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      s = x * x + y * y;
    } while (s >= 1 || s == 0);
    double scale = std::sqrt(-2 * std::log(s) / s);
    spare_ = y * scale;
    has_spare_ = true;
    return x * scale;
  }

  /// Gamma with rate 1, by Marsaglia and Tsang 2000; alpha > 0.
  double gamma(double alpha) {
    if (alpha < 1) {
      double boost = std::pow(1 - uniform(), 1 / alpha);
      return gamma(alpha + 1) * boost;
    }
    double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    while (true) {
      double x = normal(), v = 1 + c * x;
      if (v <= 0) continue;
      v = v * v * v;
      double u = 1 - uniform();
      if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) {
        return d * v;
      }
    }
  }

 private:
  uint64_t state_[4];
  double spare_ = 0;
  bool has_spare_ = false;
};

/// Standard normals by Box and Muller, whole batches at a time; `out` is
/// aligned and padded to 64 bytes.
void fill_normal(Random& random, float* out, std::size_t n);

/// Uniform in [0, 1), multiples of 2^-24; two numbers a call of the generator.
void fill_uniform(Random& random, float* out, std::size_t n);

}  // namespace tidemark::kernels
