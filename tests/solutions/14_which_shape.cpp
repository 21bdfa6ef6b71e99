// Products sum over what stands inside, (5, 8)·(8, 7). Sums stretch: (5, 1) and (1, 7) become (5, 7).
const Shape scores{2, 5, 7};
const Shape largest{2, 5, 1};
const Shape output{2, 5, 3};
const Shape column{2, 5, 1, 4};
const Shape units{2, 5, 7, 4};
const Shape additive{2, 5, 7};
// A column less a row is a table. squeeze(prediction, 1) makes both a row.
const Shape errors{5, 5};
