/** How long a bucket of a series is, in seconds. Each user sends one sigil in that time. Browser-safe. */
export const BUCKET_S = 10;
