#include "CPageNetwork.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t pages[] = {
#embed "page-network.weights"
};

static const uint8_t cards[] = {
#embed "card-network.weights"
};

const uint8_t *pn_page_weights(size_t *count)
{
    *count = sizeof pages;
    return pages;
}

const uint8_t *pn_card_weights(size_t *count)
{
    *count = sizeof cards;
    return cards;
}
