/** Who a replica of json-joy is: numbers below are reserved, and each replica takes the next. */
export const FIRST_SESSION = 65_536;
