// The problems of webhooks, for the guide to errors.
export const webhookProblems = {
  limit_reached: {
    means: 'There are as many webhook endpoints, or secrets of one, as there may be.',
    remedy: 'Delete an endpoint that is not used, or wait until a rotated secret has ended.',
    detail: 'A company has at most 10 endpoints.',
  },
};
