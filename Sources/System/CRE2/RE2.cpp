#include "CRE2.h"

#include <re2/re2.h>

#include <exception>
#include <string>
#include <vector>

struct cre2_pattern {
    RE2 compiled;

    explicit cre2_pattern(re2::StringPiece text) : compiled(text, options()) {}

    static RE2::Options options()
    {
        RE2::Options options;
        // Errors are reported to the caller, not on the program's own standard error.
        options.set_log_errors(false);
        return options;
    }
};

namespace
{

cre2_span span(re2::StringPiece part, char const *text)
{
    cre2_span found = {-1, 0};
    if (part.data() != nullptr) {
        found.start = part.data() - text;
        found.count = part.size();
    }
    return found;
}

} // namespace

extern "C" cre2_pattern *cre2_compile(char const *text, size_t count)
{
    try {
        return new cre2_pattern(re2::StringPiece(text, count));
    } catch (std::exception const &) {
        return nullptr;
    }
}

extern "C" void cre2_free(cre2_pattern *pattern) { delete pattern; }

extern "C" char const *cre2_problem(cre2_pattern const *pattern)
{ return pattern->compiled.ok() ? nullptr : pattern->compiled.error().c_str(); }

extern "C" char const *cre2_problem_part(cre2_pattern const *pattern)
{ return pattern->compiled.error_arg().c_str(); }

extern "C" int cre2_has_group(cre2_pattern const *pattern, char const *name)
{ return static_cast<int>(pattern->compiled.NamedCapturingGroups().count(name)); }

extern "C" int cre2_search(cre2_pattern const *pattern, char const *text, size_t count,
    char const *name, cre2_span *whole, cre2_span *named)
{
    try {
        auto const &groups = pattern->compiled.NamedCapturingGroups();
        auto const group = groups.find(name);
        int const number = group == groups.end() ? 0 : group->second;
        std::vector<re2::StringPiece> parts(static_cast<size_t>(number) + 1);
        if (!pattern->compiled.Match(re2::StringPiece(text, count), 0, count, RE2::UNANCHORED,
                parts.data(), static_cast<int>(parts.size())))
            return 0;
        *whole = span(parts[0], text);
        *named = number > 0 ? span(parts[static_cast<size_t>(number)], text) : cre2_span{-1, 0};
        return 1;
    } catch (std::exception const &) {
        return -1;
    }
}
