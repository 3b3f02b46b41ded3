/**
 * How many of a webhook's next deliveries are read to find the pause that its receiver asked for. Its end is the column
 * `asked_until` of the delivery whose answer asked for it, which is not due before. No index contains that column.
 */
export const MOST_ASKED = 100;
