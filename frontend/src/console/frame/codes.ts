/** So few recovery codes, or fewer, are said to be few. */
export const FEW_CODES = 2;
