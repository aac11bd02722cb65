-- The history as a buffer: what was made of what, with the paths of the pictures.
local document = require("atelier.document")
local service = require("atelier.service")
local M = {}

local function local_time(timestamp)
  local utc = vim.fn.strptime("%Y-%m-%dT%H:%M:%S", timestamp:sub(1, 19))
  local offset = os.time() - os.time(os.date("!*t"))
  return os.date("%Y-%m-%d %H:%M", utc + offset)
end

local function view(path)
  if vim.ui.open then return vim.ui.open(path) end
  for _, program in ipairs({ "xdg-open", "open" }) do
    if vim.fn.executable(program) == 1 then return vim.fn.jobstart({ program, path }, { detach = true }) end
  end
  service.report("There is no program xdg-open that could show " .. path)
end

--- Opens it. `insert` puts a generation's pictures or places at a mark, `title` says what was asked and of which photo.
function M.open(insert, title, refuse)
  local mark = document.mark(vim.api.nvim_get_current_buf())
  local buffer = vim.api.nvim_create_buf(false, true)
  pcall(vim.api.nvim_buf_set_name, buffer, "atelier://history") -- Another one may be open.
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].filetype = "atelier-history"
  vim.cmd("botright split")
  vim.api.nvim_win_set_buf(0, buffer)
  local rows, cursor

  local function add(entry)
    local words, source = title(entry)
    local lines = { ("%s  %s%s%s%s"):format(local_time(entry.createdAt), entry.recipe, source and " of " .. source or "",
      words ~= "" and ": " .. words or "", entry.state == "succeeded" and "" or "  (" .. entry.state .. ")") }
    for _, image in ipairs(entry.images) do
      table.insert(lines, "    " .. vim.fn.fnamemodify(image.path or "no file", ":~"))
    end
    for _, place in ipairs(entry.places or {}) do table.insert(lines, "    " .. place.name .. ", " .. place.city) end
    for _, remark in ipairs(vim.list_extend({ entry.error }, entry.warnings)) do
      table.insert(lines, "    " .. remark.message)
    end
    local first = #rows
    for index, line in ipairs(lines) do
      lines[index] = line:gsub("%c", " ")
      rows[first + index] = { entry = entry, image = entry.images[math.max(index - 1, 1)] }
    end
    vim.api.nvim_buf_set_lines(buffer, first, first == 0 and -1 or first, false, lines)
  end

  local function load(next_page)
    if not next_page then rows, cursor = {}, nil end
    service.request("history", { cursor = cursor }, function(page, failure)
      if failure then return refuse(failure) end
      if not page or not vim.api.nvim_buf_is_valid(buffer) then return end
      vim.bo[buffer].modifiable = true
      if not next_page then vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { "Nothing was made yet." }) end
      vim.tbl_map(add, page.entries)
      cursor = page.nextCursor
      vim.bo[buffer].modifiable = false
      vim.b[buffer].atelier_more = cursor ~= nil
    end)
  end

  local function on_key(key, description, action)
    vim.keymap.set("n", key, function()
      action((rows or {})[vim.api.nvim_win_get_cursor(0)[1]] or {})
    end, { buffer = buffer, nowait = true, desc = description })
  end
  on_key("<CR>", "open the picture", function(row)
    if row.image and row.image.path then return view(row.image.path) end
    vim.notify("There is no picture here.")
  end)
  on_key("i", "insert a link to it, or the places, where the history was opened", function(row)
    if row.entry then insert(row.entry, mark, row.image) end
  end)
  on_key("m", "show more", function()
    if cursor then load(true) else vim.notify("That is all.") end
  end)
  on_key("R", "read it again", function() load(false) end)
  on_key("q", "close", function() vim.api.nvim_buf_delete(buffer, { force = true }) end)
  load(false)
end

return M
