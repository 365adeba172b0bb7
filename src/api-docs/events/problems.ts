// The explanations of the problems of the feed, for problem-guide.ts.

export const eventProblems = {
  events_expired: {
    means:
      'The event after `after`, or the event itself, is older than 30 days. The property oldest ' +
      'is the sequence of the oldest one that is retained.',
    remedy: 'Copy the data again: read the feed with after=last, then the lists, then the feed.',
    detail: 'The oldest event that is retained is 4711.',
    members: { oldest: 4711 },
  },
};
