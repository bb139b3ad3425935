"""What tests ask of a table in a page, as functions of JavaScript."""

# Elements that reach beyond the window or its table, and regions that scroll sideways.
OUTSIDE = """() => {
    const parts = [...document.querySelectorAll(".ch-table *")]
        .filter(e => e.checkVisibility() && !e.closest(".ch-spoken, .is-quiet"));
    const far = parts.filter(e => {
        const box = e.getBoundingClientRect();
        return box.width && (box.right > innerWidth + 1 || box.left < -1);
    }).filter(e => !e.closest(".ch-art, .ch-actions > *"));
    // Buttons that reach beyond their row come into sight as they are scrolled to.
    const lost = [...document.querySelectorAll(".ch-actions .ch-button")].filter(e => {
        e.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
        const box = e.getBoundingClientRect();
        return box.right > innerWidth + 1 || box.left < -1 || box.width > innerWidth;
    });
    const wide = [...document.querySelectorAll(".ch-felt, .ch-bottom, .ch-layout")]
        .filter(e => e.scrollWidth > e.clientWidth + 1);
    return [...far, ...lost, ...wide].map(e => e.outerHTML.slice(0, 120));
}"""

# Texts of one card that overlap each other, or that reach beyond their card.
OVERLAPS = """() => {
    const boxOf = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const inner = range.getBoundingClientRect();
        const own = node.getBoundingClientRect();
        const edge = (name, pick) => pick(inner[name], own[name]);
        return {left: edge("left", Math.max), right: edge("right", Math.min),
            top: edge("top", Math.max), bottom: edge("bottom", Math.min)};
    };
    const names = "corner title text detail head foot mark letter".split(" ");
    const found = [];
    for (const card of document.querySelectorAll(".ch-card")) {
        if (!card.checkVisibility() || card.matches(".ch-size-chip")) continue;
        const whole = card.getBoundingClientRect();
        const texts = names.map(name => card.querySelector(`:scope > .ch-${name}`))
            .filter(node => node?.checkVisibility()).map(node => [node, boxOf(node)]);
        texts.forEach(([node, a], n) => {
            const isOut = a.bottom > whole.bottom + 1.5 || a.top < whole.top - 1.5;
            const hit = texts.slice(n + 1).find(([, b]) =>
                Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2);
            if (isOut || hit) found.push(`${card.className}: ${node.className} ${node.textContent}`
                + (hit ? ` on ${hit[0].className} ${hit[0].textContent}` : " is outside"));
        });
    }
    return found;
}"""

# Corners of cards in hands and before seats that another card covers.
COVERED = """() => {
    const boxOfText = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    };
    return [...document.querySelectorAll(".ch-look-hand .ch-card, .ch-lane .ch-card")]
    .filter(card => {
        card.scrollIntoView({block: "nearest"});
        const text = card.querySelector(".ch-corner, .ch-letter") ?? card;
        const box = text === card ? {x: card.getBoundingClientRect().x + 4,
            y: card.getBoundingClientRect().y + 4, width: 0, height: 0}
            : boxOfText(text);
        const points = [[box.x + 1, box.y + 1], [box.x + box.width - 1, box.y + box.height - 1]];
        return !points.every(([x, y]) => card.contains(document.elementFromPoint(x, y)));
    }).map(card => card.ariaLabel);
}"""

# The spots of the elements that can be reached, or that a button of their pile brings to sight.
REACHED = """() => [...document.querySelectorAll(".ch-table .ch-spot")]
    .filter(e => e.checkVisibility() || e.closest(".ch-area")?.querySelector("[data-pile]"))
    .map(e => e.dataset.spot)"""

# Spots without a name, lists of cards without a label, and images without a text.
NAMELESS = """() => [...document.querySelectorAll(".ch-spot, .ch-button, ul.ch-cards, section")]
    .filter(e => !(e.ariaLabel || (e.matches("button") && e.textContent.trim())))
    .map(e => e.outerHTML.slice(0, 120))"""

# Texts whose contrast to one of the grounds that they may lie on is less than that of level AA.
FAINT = """() => {
    const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
    const seen = new Map();
    const rgba = (text) => {
        if (!seen.has(text)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = text;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            seen.set(text, [r, g, b, a / 255]);
        }
        return seen.get(text);
    };
    const over = ([r, g, b, a], [x, y, z]) =>
        [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
    const light = (colour) => colour.slice(0, 3).map(n => n / 255)
        .map(n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4)
        .reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
    const variable = (e, name) => getComputedStyle(e).getPropertyValue(name);
    // A gradient lies between its ends.
    const grounds = (e) => {
        if (!e) return [[255, 255, 255, 1]];
        const own = rgba(getComputedStyle(e).backgroundColor);
        const ends = e.matches(".ch-felt")
            ? ["--ch-felt", "--ch-felt-light"].map(name => rgba(variable(e, name)))
            : e.matches(".ch-face:not(.is-faint)") ? [own, rgba(variable(e, "--ch-paper"))] : [own];
        if (ends.every(([, , , a]) => a === 1)) return ends;
        return grounds(e.parentElement).map(ground => over(own, ground));
    };
    const found = new Set();
    for (const e of document.querySelectorAll(".ch-table *")) {
        const hasText = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!hasText || !e.checkVisibility() || e.closest(".ch-spoken, .is-quiet")) continue;
        const ink = rgba(getComputedStyle(e).color);
        for (const ground of grounds(e)) {
            const both = [light(over(ink, ground)), light(ground)].sort((a, b) => b - a);
            const ratio = (both[0] + 0.05) / (both[1] + 0.05);
            if (ratio < 4.5) found.add(`${e.className} on ${e.parentElement.className}: ${ratio}`);
        }
    }
    return [...found];
}"""

# Choices none of whose spots is as large as a fingertip, and the own panel if it is too high.
SMALL = """() => {
    const size = (e) => {
        const target = e.closest(".ch-area.is-legal") ?? e;
        const slot = (target.closest(".ch-slot") ?? target).getBoundingClientRect();
        return Math.min(slot.width, target.getBoundingClientRect().width, slot.height + 8);
    };
    const all = [...document.querySelectorAll(".ch-spot")];
    const found = shownView().choices.filter(choice => {
        const keys = choice.spots.map(spot => spot.join(":"));
        const parts = all.filter(e => keys.includes(e.dataset.spot)
            || e.dataset.action === String(choice.action));
        return !parts.some(e => size(e) >= 43.5);
    }).map(choice => choice.name);
    const isHigh = document.querySelector(".ch-bottom").offsetHeight > innerHeight / 3 + 1;
    return isHigh ? [...found, "the panel is too high"] : found;
}"""

# What a phone has to scroll sideways, an own panel that is too high, and parts of it out of sight.
WIDE = """() => {
    const found = [...document.querySelectorAll(".ch-layout, .ch-header, .ch-felt, .ch-bottom")]
        .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => `${e.className} scrolls`);
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page is too wide");
    const panel = document.querySelector(".ch-bottom");
    if (panel.offsetHeight > innerHeight / 3 + 1) found.push("the panel is too high");
    if (panel.scrollHeight > panel.clientHeight + 1) found.push("the panel has no room");
    return found;
}"""

# Faces whose name does not begin with the first text that is in sight and have the others in their
# order; rules of cards are no part of a name.
UNSPOKEN = """() => {
    const plain = (text) => text.replace(/[\\s\\u00ad\\p{P}\\p{S}]/gu, "").toLowerCase();
    const parts = ".ch-head, .ch-corner, .ch-title, .ch-mark, .ch-foot, .ch-detail";
    return [...document.querySelectorAll(".ch-spot.ch-face")].filter(card => {
        const seen = [...card.querySelectorAll(parts)].filter(e => e.checkVisibility());
        let name = plain(card.ariaLabel);
        return seen.some((e, n) => {
            const at = name.indexOf(plain(e.dataset.text ?? e.textContent));
            name = name.slice(at);
            return at < 0 || (n === 0 && at > 0);
        });
    }).map(card => card.ariaLabel);
}"""

# The parts of a table that have to be moved up and down to be seen, but for the log.
TALL = """() => {
    const parts = [".ch-layout", ".ch-felt", ".ch-bottom", ".ch-look-hand", ".ch-actions"];
    return parts.filter(name => [...document.querySelectorAll(name)]
        .some(e => e.scrollHeight > e.clientHeight + 1)).map(name => `${name} scrolls down`);
}"""
