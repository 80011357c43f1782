#include "CZXing.h"
#include "LastError.h"

// Selects text as UTF-8 in std::string, as in later versions.
#define ZX_USE_UTF8 1
#include <ZXing/BarcodeFormat.h>
#include <ZXing/DecodeHints.h>
#include <ZXing/ReadBarcode.h>
#include <ZXing/ZXVersion.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace
{

// The record that is sent through the pipe, followed by the text.
struct Head {
    char format[24];
    double corners[8];
    int lines;
    int is_linear;
    int is_quiet;
    uint32_t text_count;
};

struct Code {
    Head head;
    std::string text;
};

// More bytes than any code contains: the limit of QR is 7,089 digits.
constexpr uint32_t most_text = 1 << 16;
constexpr int most_codes = 48;

// "EAN-13" and "EAN13" are the same; this file only returns one spelling.
std::string plain_name(ZXing::BarcodeFormat format)
{
    std::string name;
    for (char letter : std::string(ZXing::ToString(format)))
        if (letter != '-') name += letter;
    return name;
}

std::string shown(ZXing::Result const &result)
{
    if (result.contentType() != ZXing::ContentType::Binary) return result.text();
    static char const digits[] = "0123456789abcdef";
    std::string text;
    for (uint8_t byte : result.bytes()) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

Code code_of(ZXing::Result const &result)
{
    Code code = {};
    plain_name(result.format()).copy(code.head.format, sizeof code.head.format - 1);
    code.text = shown(result).substr(0, most_text);
    code.head.text_count = static_cast<uint32_t>(code.text.size());
    for (int corner = 0; corner < 4; ++corner) {
        auto const point = result.position()[corner];
        code.head.corners[2 * corner] = point.x;
        code.head.corners[2 * corner + 1] = point.y;
    }
    bool const is_linear =
        ZXing::BarcodeFormats(ZXing::BarcodeFormat::LinearCodes).testFlag(result.format());
    code.head.is_linear = is_linear;
    code.head.is_quiet = 1;
    code.head.lines = is_linear ? result.lineCount() : 0;
    return code;
}

struct Picture {
    std::vector<uint8_t> pixels;
    int width;
    int height;

    uint8_t *row(int y) { return pixels.data() + static_cast<size_t>(y) * width; }

    // Paints the rectangle around a code white, so that the next search finds another code. False
    // if there is none.
    bool take_out(Head const &code)
    {
        double left = width, top = height, right = 0, bottom = 0;
        for (int corner = 0; corner < 4; ++corner) {
            left = std::min(left, code.corners[2 * corner]);
            right = std::max(right, code.corners[2 * corner]);
            top = std::min(top, code.corners[2 * corner + 1]);
            bottom = std::max(bottom, code.corners[2 * corner + 1]);
        }
        if (!(right > left) || !(bottom > top)) return false;
        int const x = std::clamp(static_cast<int>(left), 0, width),
                  x_end = std::clamp(static_cast<int>(right) + 1, 0, width);
        int const y = std::clamp(static_cast<int>(top), 0, height),
                  y_end = std::clamp(static_cast<int>(bottom) + 1, 0, height);
        for (int at = y; at < y_end; ++at) std::fill(row(at) + x, row(at) + x_end, 255);
        return x < x_end && y < y_end;
    }

    uint8_t at(bool is_upright, int along, int across)
    { return is_upright ? row(along)[across] : row(across)[along]; }

    // The similarity of two scan lines of a code, -1 to 1: their correlation, the second shifted by
    // some pixels.
    double likeness(bool is_upright, int first, int second, int from, int to, int shift)
    {
        double n = to - from, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
        for (int along = from; along < to; ++along) {
            double const p = at(is_upright, along, first),
                         q = at(is_upright, along + shift, second);
            a += p, b += q, aa += p * p, bb += q * q, ab += p * q;
        }
        double const spread = (aa - a * a / n) * (bb - b * b / n);
        return spread > 0 ? (ab - a * b / n) / std::sqrt(spread) : 0;
    }

    // True if light paper follows both ends of a code in most of its rows. If a scan line leaves a
    // leaning code through its upper or lower edge, the line is white, and only a part of the code
    // was read; the neighboring rows show the rest.
    bool is_quiet(
        bool is_upright, int const ends[2], int const shifts[2], int start, int from, int to)
    {
        double sum = 0;
        for (int along = from; along < to; ++along) sum += at(is_upright, along, start);
        double const middle = sum / (to - from);
        int const zone = std::max(4, (to - from) / 12), length = is_upright ? height : width;
        int rows = 0, loud = 0;
        for (int across = ends[0]; across <= ends[1]; ++across) {
            int const side = across < start ? 0 : 1, reach = ends[side] - start;
            int const shift = reach == 0 ? 0 : shifts[side] * (across - start) / reach;
            bool is_loud = false;
            for (int step = 3; step < zone; ++step)
                for (int along : {from + shift - step, to + shift + step})
                    if (along >= 0 && along < length && at(is_upright, along, across) < middle)
                        is_loud = true;
            ++rows;
            loud += is_loud;
        }
        return loud * 8 <= rows;
    }

    // ZXing stops at the first few scan lines of a linear code. This follows its bars to both ends,
    // also where they lean.
    void follow_bars(Head &code)
    {
        double *c = code.corners;
        bool const is_upright = std::fabs(c[3] - c[1]) > std::fabs(c[2] - c[0]);
        int const length = is_upright ? height : width, depth = is_upright ? width : height;
        int const from = static_cast<int>(std::min(c[is_upright ? 1 : 0], c[is_upright ? 3 : 2]));
        int const to = static_cast<int>(std::max(c[is_upright ? 1 : 0], c[is_upright ? 3 : 2]));
        int const start = static_cast<int>(c[is_upright ? 0 : 1]);
        if (from < 0 || to >= length || to - from < 8 || start < 0 || start >= depth) return;
        int ends[2], shifts[2];
        for (int side = 0; side < 2; ++side) {
            int const step = side == 0 ? -1 : 1;
            int end = start, shift = 0, missed = 0;
            for (int across = start + step; across >= 0 && across < depth && missed < 4;
                across += step) {
                double best = 0;
                int best_shift = shift;
                for (int tried = shift - 1; tried <= shift + 1; ++tried) {
                    if (from + tried < 0 || to + tried > length) continue;
                    double const likeness =
                        this->likeness(is_upright, start, across, from, to, tried);
                    if (likeness > best + (tried == shift ? 0 : 0.02))
                        best = likeness, best_shift = tried;
                }
                if (best < 0.6) {
                    ++missed;
                    continue;
                }
                missed = 0, end = across, shift = best_shift;
            }
            ends[side] = end, shifts[side] = shift;
        }
        code.lines = ends[1] - ends[0] + 1;
        code.is_quiet = is_quiet(is_upright, ends, shifts, start, from, to);
        // The side that ZXing calls the top stays the top: a code may be upside down.
        bool const is_turned = is_upright ? c[3] > c[1] : c[2] < c[0];
        int const top = is_turned ? 1 : 0, bottom = 1 - top;
        double const left = c[is_upright ? 1 : 0], right = c[is_upright ? 3 : 2];
        double const along[4] = {
            left + shifts[top], right + shifts[top], right + shifts[bottom], left + shifts[bottom]};
        double const across[4] = {
            double(ends[top]), double(ends[top]), double(ends[bottom]), double(ends[bottom])};
        for (int corner = 0; corner < 4; ++corner) {
            c[2 * corner] = is_upright ? across[corner] : along[corner];
            c[2 * corner + 1] = is_upright ? along[corner] : across[corner];
        }
    }

    // ZXing gives a MaxiCode no position. It only reads one if nothing else is in the picture, so
    // its position is that of all ink.
    void place_around_ink(Head &code)
    {
        int left = width, top = height, right = -1, bottom = -1;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (row(y)[x] < 128) {
                    left = std::min(left, x);
                    right = std::max(right, x);
                    top = std::min(top, y);
                    bottom = y;
                }
        if (right < 0) return;
        double const corners[8] = {double(left), double(top), double(right), double(top),
            double(right), double(bottom), double(left), double(bottom)};
        std::memcpy(code.corners, corners, sizeof corners);
    }
};

bool send_all(int pipe, void const *bytes, size_t count)
{
    auto const *at = static_cast<char const *>(bytes);
    while (count > 0) {
        ssize_t const done = write(pipe, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        count -= static_cast<size_t>(done);
    }
    return true;
}

// One code at a time: comparing two linear codes fails an assertion of ZXing 1.4.
void search(Picture &picture, ZXing::DecodeHints const &hints, int pipe)
{
    for (int count = 0; count < most_codes; ++count) {
        auto const view = ZXing::ImageView(
            picture.pixels.data(), picture.width, picture.height, ZXing::ImageFormat::Lum);
        auto const results = ZXing::ReadBarcodes(view, hints);
        if (results.empty() || !results.front().isValid()) return;
        Code code = code_of(results.front());
        if (results.front().format() == ZXing::BarcodeFormat::MaxiCode)
            picture.place_around_ink(code.head);
        if (code.head.is_linear) picture.follow_bars(code.head);
        if (!send_all(pipe, &code.head, sizeof code.head) ||
            !send_all(pipe, code.text.data(), code.text.size()))
            return;
        if (!picture.take_out(code.head)) return;
    }
}

// The forked process. It has only this thread, and uses nothing of the host but its copy of the
// picture.
[[noreturn]] void search_and_exit(
    Picture &picture, ZXing::DecodeHints const &hints, int pipe, pid_t host)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != host) _exit(1);
    struct rlimit const none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT})
        signal(number, SIG_DFL);
    // Otherwise descriptors of the host would stay open as long as this process runs.
    int const quiet = open("/dev/null", O_RDWR);
    for (int standard = 0; standard < 3; ++standard)
        if (quiet >= 0) dup2(quiet, standard);
    if (dup2(pipe, 3) < 0) _exit(1);
    close_range(4, ~0U, 0);
    try {
        search(picture, hints, 3);
        _exit(0);
    } catch (...) {
        _exit(1);
    }
}

int64_t now()
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * int64_t(1000) + time.tv_nsec / 1000000;
}

// Reads everything from the pipe until its end; false if the time is up first.
bool receive(int pipe, std::string &bytes, int64_t until)
{
    char buffer[1 << 14];
    while (true) {
        int64_t const left = until - now();
        if (left <= 0) return false;
        struct pollfd waiting = {pipe, POLLIN, 0};
        int const ready = poll(&waiting, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        ssize_t const count = read(pipe, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return true;
        bytes.append(buffer, static_cast<size_t>(count));
        if (bytes.size() > most_codes * (sizeof(Head) + most_text)) return true;
    }
}

std::vector<Code> codes_in(std::string const &bytes)
{
    std::vector<Code> codes;
    size_t at = 0;
    while (bytes.size() - at >= sizeof(Head)) {
        Code code = {};
        std::memcpy(&code.head, bytes.data() + at, sizeof code.head);
        code.head.format[sizeof code.head.format - 1] = 0;
        at += sizeof code.head;
        if (code.head.text_count > bytes.size() - at) break;
        code.text.assign(bytes, at, code.head.text_count);
        at += code.head.text_count;
        codes.push_back(code);
    }
    return codes;
}

} // namespace

struct czxing_results {
    std::vector<Code> codes;
    czxing_ending ending;
    int number;
};

std::string &czxing_last_error()
{
    thread_local std::string last_error;
    return last_error;
}

extern "C" czxing_results *czxing_read(uint8_t const *pixels, int width, int height, int stride,
    char const *formats, czxing_threshold threshold, int lines, int milliseconds)
{
    int pipes[2] = {-1, -1};
    try {
        ZXing::DecodeHints hints;
        hints.setFormats(ZXing::BarcodeFormatsFromString(formats));
        hints.setTryHarder(true);
        hints.setTryRotate(true);
        hints.setTryDownscale(true);
        hints.setMinLineCount(static_cast<uint8_t>(lines));
        hints.setMaxNumberOfSymbols(1);
        hints.setBinarizer(threshold == CZXING_GLOBAL ? ZXing::Binarizer::GlobalHistogram
                                                      : ZXing::Binarizer::LocalAverage);
        Picture picture = {
            std::vector<uint8_t>(static_cast<size_t>(width) * height), width, height};
        for (int y = 0; y < height; ++y)
            std::memcpy(picture.row(y), pixels + static_cast<ptrdiff_t>(y) * stride,
                static_cast<size_t>(width));
        auto results = std::make_unique<czxing_results>();
        if (pipe2(pipes, O_CLOEXEC) != 0)
            throw std::runtime_error(std::string("no pipe: ") + strerror(errno));
        int64_t const until = now() + milliseconds;
        pid_t const host = getpid();
        pid_t const child = fork();
        if (child < 0) throw std::runtime_error(std::string("no process: ") + strerror(errno));
        if (child == 0) search_and_exit(picture, hints, pipes[1], host);
        close(pipes[1]);
        pipes[1] = -1;
        // From this line on, the function always waits for the process.
        std::string bytes;
        bool is_late = true;
        std::string problem;
        try {
            is_late = !receive(pipes[0], bytes, until);
        } catch (std::exception const &error) {
            problem = error.what();
        }
        if (is_late) kill(child, SIGKILL);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        if (!problem.empty()) throw std::runtime_error(problem);
        close(pipes[0]);
        pipes[0] = -1;
        results->codes = codes_in(bytes);
        bool const is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        results->ending = is_late ? CZXING_LATE : is_well ? CZXING_COMPLETE : CZXING_CRASHED;
        results->number = !is_late && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        return results.release();
    } catch (std::exception const &error) {
        czxing_last_error() = error.what();
    } catch (...) {
        czxing_last_error() = "ZXing failed and did not say why";
    }
    for (int end : pipes)
        if (end >= 0) close(end);
    return nullptr;
}

extern "C" czxing_ending czxing_how_ended(czxing_results const *results) { return results->ending; }

extern "C" int czxing_ending_number(czxing_results const *results) { return results->number; }

extern "C" int czxing_count(czxing_results const *results)
{ return static_cast<int>(results->codes.size()); }

extern "C" czxing_code czxing_at(czxing_results const *results, int index)
{
    Code const &code = results->codes[static_cast<size_t>(index)];
    czxing_code answer = {};
    answer.format = code.head.format;
    answer.text = code.text.data();
    answer.text_count = code.text.size();
    std::memcpy(answer.corners, code.head.corners, sizeof answer.corners);
    answer.lines = code.head.lines;
    answer.is_linear = code.head.is_linear;
    answer.is_quiet = code.head.is_quiet;
    return answer;
}

extern "C" void czxing_free(czxing_results *results) { delete results; }

#define CZXING_TEXT_OF(value) #value
#define CZXING_TEXT(value) CZXING_TEXT_OF(value)

extern "C" char const *czxing_version(void)
{
    return CZXING_TEXT(ZXING_VERSION_MAJOR) "." CZXING_TEXT(ZXING_VERSION_MINOR) "." CZXING_TEXT(
        ZXING_VERSION_PATCH);
}

extern "C" char const *czxing_error(void) { return czxing_last_error().c_str(); }
