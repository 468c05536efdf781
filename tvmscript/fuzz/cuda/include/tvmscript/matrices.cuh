// Matrices in the registers of a warp: PTX ISA, sections "ldmatrix" and "Matrix fragments for mma.m16n8k16".
#pragma once
#include "tvmscript/base.cuh"

template <int count, bool transposes> void load_matrices(void *registers, const void *row) {
    Warp &own = warp();
    own.rows[own_lane] = row;
    own.meeting.arrive_and_wait();
    uint16_t loaded[2 * count];
    for (int matrix = 0; matrix < count; ++matrix) {
        for (int part = 0; part < 2; ++part) {
            const int first = own_lane / 4, second = own_lane % 4 * 2 + part;
            const uint16_t *line = (const uint16_t *)own.rows[matrix * 8 + (transposes ? second : first)];
            loaded[matrix * 2 + part] = line[transposes ? first : second];
        }
    }
    own.meeting.arrive_and_wait();
    memcpy(registers, loaded, sizeof(loaded));
}
template <int count> void ldmatrix(void *registers, const void *row) { load_matrices<count, false>(registers, row); }
template <int count> void ldmatrix_transposed(void *registers, const void *row) { load_matrices<count, true>(registers, row); }

struct Numbers {
    std::string kind;
    int bytes() const { return kind == "s8" || kind == "u8" ? 1 : kind == "f16" || kind == "bf16" ? 2 : 4; }
    double get(const void *data, int place) const {
        if (kind == "f16") return _cvtsh_ss(((const uint16_t *)data)[place]);
        if (kind == "bf16") return __int_as_float(((const uint16_t *)data)[place] << 16);
        if (kind == "s8") return ((const int8_t *)data)[place];
        if (kind == "u8") return ((const uint8_t *)data)[place];
        if (kind == "s32") return ((const int32_t *)data)[place];
        return ((const float *)data)[place];
    }
    void set(void *data, int place, double value) const {
        if (kind == "f16") ((uint16_t *)data)[place] = _cvtss_sh((float)value, 0);
        else if (kind == "s32") ((int32_t *)data)[place] = (int32_t)value;
        else ((float *)data)[place] = (float)value;
    }
};

// The register of a thread that holds an element of a matrix whose rows are distributed over groups of four threads.
inline void find_register(int row, int column, int rows, int packed, int &lane, int &place) {
    const int above = rows / 8;
    lane = row % 8 * 4 + column % (4 * packed) / packed;
    place = (column / (4 * packed) * above + row / 8) * packed + column % packed;
}

template <int m, int n, int k> void mma(const char *total, const char *left, const char *right, void *d, const void *a, const void *b) {
    const Numbers result{total}, first{left}, second{right};
    Warp &own = warp();
    own.registers[0][own_lane] = a;
    own.registers[1][own_lane] = b;
    own.registers[2][own_lane] = d;
    own.meeting.arrive_and_wait();
    const int packed = 4 / first.bytes();
    double sums[m * n / 32];
    for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column) {
            int lane, place;
            find_register(row, column, m, 2, lane, place);
            if (lane != own_lane) continue;
            double sum = result.get(d, place);
            for (int term = 0; term < k; ++term) {
                int lane_a, place_a, lane_b, place_b;
                find_register(row, term, m, packed, lane_a, place_a);
                find_register(column, term, n, packed, lane_b, place_b);
                sum += first.get(own.registers[0][lane_a], place_a) * second.get(own.registers[1][lane_b], place_b);
            }
            sums[place] = sum;
        }
    }
    own.meeting.arrive_and_wait();
    for (int place = 0; place < m * n / 32; ++place) result.set(d, place, sums[place]);
}
