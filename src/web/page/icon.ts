/** The page's icon: a path between two ends. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4b6e"/><path d="M8 22 14 12l5 7 5-9" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/><circle cx="8" cy="22" r="2.6" fill="#fff"/><circle cx="24" cy="10" r="2.6" fill="#fff"/></svg>
`
