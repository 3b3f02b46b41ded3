/**
 * So many of a webhook's next deliveries are read to find the pause that its receiver asked for. Its end is stored with
 * the delivery whose answer asked for it, and that one is not due before. No index has it.
 */
export const MOST_ASKED = 100;
