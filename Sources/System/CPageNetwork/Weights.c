#include "CPageNetwork.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t weights[] = {
#embed "page-network.weights"
};

const uint8_t *pn_shipped_weights(size_t *count)
{
    *count = sizeof weights;
    return weights;
}
