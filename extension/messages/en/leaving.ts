/** Questions before something is left that is being stored or created: loaded once something is entered. */
export const leaving = {
  saving: {
    title: 'Your change is being saved',
    text: 'Saving continues if you leave, but you can see the result only here.',
    leave: 'Leave',
    stay: 'Stay',
  },
  making: {
    title: 'A secret is still being created',
    text: 'Its value is shown here only once. If you leave now, it is created all the same, and you can’t see it.',
    leave: 'Leave anyway',
    stay: 'Stay',
  },
};
