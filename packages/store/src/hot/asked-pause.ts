/**
 * So many of a webhook's next deliveries are read for the pause that its receiver asked for. The end of a pause is stored
 * with the deliveries that it answered, which are due then or later; no index knows it.
 */
export const MOST_ASKED = 100;
