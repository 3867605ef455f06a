/** The name of a product in the header `user-agent`, without its version. */
export const PRODUCT = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
