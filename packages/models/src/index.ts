/** Models: one file per wire API, a catalog of providers, and what makes text calls native. */
export {};
