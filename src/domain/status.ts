/** Statuses whose responses never carry a body. */
export const hasNoBody = (status: number): boolean => status === 204 || status === 304 || status < 200
