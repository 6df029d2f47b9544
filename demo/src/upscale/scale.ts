/** How many pixels a side come out for one that goes in. */
export const SCALE = 2;
