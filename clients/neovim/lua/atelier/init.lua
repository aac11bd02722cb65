-- What :Atelier does: makes pictures and lists of places, shows their progress, and puts links to them into the buffer.
local document = require("atelier.document")
local service = require("atelier.service")
local M = {}

local running = {} -- what is being made, oldest first: `label`, and the `id` of its request

-- As much as fits into one line: more would make Neovim wait for Enter, while somebody types elsewhere.
local function cut(text) return vim.fn.printf("%." .. math.max(vim.v.echospace, 20) .. "S", (text:gsub("%c", " "))) end

local function refuse(failure)
  local hint = failure.data.details and failure.data.details.hint
  service.report(failure.message .. (hint and "\n" .. hint or ""))
end

local function show_progress(work, progress)
  if vim.api.nvim_get_mode().mode:find("^[cr]") then return end -- Somebody is typing in that line.
  local text = ("%s: %d %%  %s"):format(work.label, progress.overall * 100, progress.message)
  vim.api.nvim_echo({ { cut(text) } }, false, {})
end

-- Sends a request for `work`, and calls `succeeded` with its result. Whatever else comes of it is shown.
local function send(work, method, params, succeeded)
  local function answered(result, failure)
    running = vim.tbl_filter(function(each) return each ~= work end, running)
    local details = failure and failure.data.details or {}
    if failure and failure.data.kind == "request_cancelled" or result and result.state == "cancelled" then
      vim.notify(cut(work.label .. ": cancelled."))
    elseif method == "generate" and details.remedy == "image/prepare" and params.image.path then
      -- The prepared photo stays with the service, which erases it after a day, and need not pass through the editor.
      send(work, details.remedy, { image = params.image, longestSide = 4096 }, function(prepared)
        params.image = { preparedId = prepared.preparedId }
        send(work, method, params, succeeded)
      end)
    elseif failure then
      refuse(failure)
    elseif result then
      succeeded(result)
    end
  end
  work.id = service.request(method, params, answered, function(progress) show_progress(work, progress) end)
  if work.id then table.insert(running, work) end
end

-- What was asked for, and of which photo.
local function title(generation)
  local source = (generation.metadata or {}).source
  local words = generation.prompt or generation.templateId or (generation.style or {}).background or ""
  return words:gsub("%s+", " "), type(source) == "string" and source or nil
end

-- Puts the pictures or the places of a generation into the text at `mark`, or else into the unnamed register.
local function insert(generation, mark, image)
  local language = document.language(mark.buffer)
  local said, lines = {}, { "" }
  if generation.places then
    vim.list_extend(lines, document.place_list(generation.places, language))
    table.insert(said, ("%d places"):format(#generation.places))
  end
  for _, each in ipairs(image and { image } or generation.images) do
    if each.path then
      local words = generation.recipe == "headshot" and "headshot" or vim.fn.strcharpart(title(generation), 0, 80)
      lines[1] = lines[1] .. " " .. document.picture_link(each.path, words, mark.buffer)
      table.insert(said, vim.fn.fnamemodify(each.path, ":t"))
    end
  end
  if #said == 0 then return vim.notify("There is nothing to insert.") end
  if not (language and document.insert(mark, lines)) then
    vim.fn.setreg('"', vim.trim(table.concat(lines, "\n")))
    table.insert(said, 1, "In the unnamed register:")
  end
  for _, warning in ipairs(generation.warnings or {}) do table.insert(said, warning.message) end
  vim.notify(cut(table.concat(said, "  ")))
end

-- Beside a photo in or below the document's folder, otherwise beside the document; nil if it cannot be written there.
local function folder_for(path, buffer)
  local folder, has_file = document.folder(buffer)
  if document.below(path, folder) then folder, has_file = vim.fn.fnamemodify(path, ":h"), true end
  return has_file and vim.fn.filewritable(folder) == 2 and folder or nil
end

-- Before Neovim 0.8, Ctrl-C at a question is an error.
local function ask(question, ...)
  local is_asked, failure = pcall(question, ...)
  if not is_asked and not tostring(failure):find("Keyboard interrupt", 1, true) then error(failure, 0) end
end

local function with_words(words, question, proceed)
  if words ~= "" then return proceed(words) end
  ask(vim.ui.input, { prompt = question }, function(answer)
    if answer and vim.trim(answer) ~= "" then proceed(answer) end
  end)
end

local function make_from(picture, params)
  local name = vim.fn.fnamemodify(picture.path, ":t")
  local folder = folder_for(picture.path, picture.mark.buffer)
  params.image, params.metadata = { path = picture.path }, { source = name }
  params.output = folder and { directory = folder } or nil
  send({ label = name }, "generate", params, function(generation) insert(generation, picture.mark) end)
end

local commands = {}

function commands.headshot(background)
  local picture, refusal = document.picture()
  if not picture then return service.report(refusal) end
  make_from(picture, { recipe = "headshot", style = background ~= "" and { background = background } or nil })
end

function commands.edit(words)
  local picture, refusal = document.picture()
  if not picture then return service.report(refusal) end
  with_words(words, "What is to be changed? ", function(prompt)
    make_from(picture, { recipe = "edit", prompt = prompt })
  end)
end

function commands.places(words)
  local mark = document.mark(vim.api.nvim_get_current_buf())
  with_words(words, "Which places? ", function(prompt)
    send({ label = prompt }, "generate", { recipe = "places", prompt = prompt }, function(generation)
      insert(generation, mark)
    end)
  end)
end

function commands.cancel(_, all)
  if #running == 0 then return vim.notify("Nothing is being made.") end
  if all or #running == 1 then
    for _, work in ipairs(running) do service.cancel(work.id) end
    return
  end
  local options = { prompt = "Cancel which?", format_item = function(work) return work.label end }
  ask(vim.ui.select, running, options, function(work)
    if work then service.cancel(work.id) end
  end)
end

function commands.history() require("atelier.history").open(insert, title, refuse) end

function M.run(name, rest, bang)
  if not commands[name] then return service.report("Atelier has no command " .. name .. ".") end
  commands[name](rest, bang)
end

return M
